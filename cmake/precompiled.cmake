# Headers that are parsed once instead of in every file: of the standard library and nanobind, none of our own, so
# that a change of ours compiles no more than before. A compiler cache has no use for them (it would have to know
# that they are the same everywhere), and of clang we know only that it does without. Files with flags of their own
# skip them: gcc would keep the other flags for what the headers define, or even fall over.
set(standard_headers
  <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <functional> <limits> <map> <memory> <mutex> <numeric>
  <optional> <span> <stdexcept> <string> <string_view> <type_traits> <unordered_map> <utility> <variant> <vector>)
set(nanobind_headers
  <nanobind/nanobind.h> <nanobind/ndarray.h> <nanobind/stl/function.h> <nanobind/stl/optional.h>
  <nanobind/stl/pair.h> <nanobind/stl/shared_ptr.h> <nanobind/stl/string.h> <nanobind/stl/tuple.h>
  <nanobind/stl/unique_ptr.h> <nanobind/stl/vector.h>)
set(precompiled_by_default OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompiled_by_default ON)
endif()
option(HEDGEROW_PRECOMPILED_HEADERS "Parse headers of the standard library and of nanobind once" ${precompiled_by_default})

function(precompile target)
  if(HEDGEROW_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
