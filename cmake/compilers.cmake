# Flags of compilers, all that the build uses: gcc, clang, and clang-cl, which takes clang's behind a prefix.
if(MSVC AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "hedgerow needs gcc, clang or clang-cl, for their vector types: configure with -T ClangCL")
endif()
set(prefix)
set(hedgerow_warnings -Wall -Wextra)
set(hedgerow_core_warnings -Wall -Wextra -Wpedantic -Wshadow)
if(MSVC)
  set(prefix /clang:)
  set(hedgerow_warnings -W4)  # clang-cl's -Wall is clang's -Weverything
  set(hedgerow_core_warnings -W4 -Wpedantic -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND hedgerow_core_warnings -Wno-restrict)  # false alarms of gcc 12 about std::string
endif()
if(HEDGEROW_WERROR)
  list(APPEND hedgerow_core_warnings -Werror)
endif()

set(hedgerow_optimisation ${prefix}-O3)
# Bindings pass things on; what reads text in Python's hands has loops of its own.
set(hedgerow_optimisation_of_bindings ${prefix}-O1)
# Nobody asks errno; with it, a square root is a call.
set(hedgerow_no_errno ${prefix}-fno-math-errno)
# Products are rounded before they are added, always: gcc would fuse them where the processor can.
set(hedgerow_rounded_products ${prefix}-ffp-contract=off)
# nanobind 3.1 leaves it to Python's headers to include this; those of the stable ABI do not.
set(hedgerow_with_stdio "SHELL:-include cstdio")
if(MSVC)
  set(hedgerow_with_stdio /FIcstdio)
endif()
