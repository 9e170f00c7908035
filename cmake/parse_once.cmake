# How a build from nothing parses headers few times, not once a file. With a compiler cache all this is off: what is
# compiled file by file is found again more often. So it is with clang, with which we have not tried it.
set(fewer_by_default OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(fewer_by_default ON)
endif()
option(HEDGEROW_PARSE_ONCE "Precompile headers of others, and compile bindings several files at a time" ${fewer_by_default})

# Of the standard library and of nanobind, none of our own, so that a change of ours compiles no more than without.
set(standard_headers
  <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <functional> <limits> <map> <memory> <mutex> <numeric>
  <optional> <span> <stdexcept> <string> <string_view> <type_traits> <unordered_map> <utility> <variant> <vector>)
set(nanobind_headers
  <nanobind/nanobind.h> <nanobind/ndarray.h> <nanobind/stl/function.h> <nanobind/stl/optional.h>
  <nanobind/stl/pair.h> <nanobind/stl/shared_ptr.h> <nanobind/stl/string.h> <nanobind/stl/tuple.h>
  <nanobind/stl/unique_ptr.h> <nanobind/stl/vector.h>)

# Files of the target with flags of their own must skip it: gcc would keep the other flags for what the headers define,
# or even fall over.
function(precompile target)
  if(HEDGEROW_PARSE_ONCE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # Much of gcc's memory is the headers' from the start; unless it may take more, it collects garbage all the time. It
    # also forgets that they are not ours, and warns of what its optimiser takes them for.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(
        ${target} PRIVATE "SHELL:--param ggc-min-heapsize=524288" -Wno-stringop-overflow -Wno-stringop-overread
                          -Wno-array-bounds -Wno-maybe-uninitialized -Wno-free-nonheap-object)
    endif()
  endif()
endfunction()

# So many files at a time, few enough that a change of one does not take longer than alone; 0: all.
function(compile_together target files)
  if(HEDGEROW_PARSE_ONCE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()
