#include <nanobind/stl/string.h>

#include "limits.hpp"
#include "python/bindings.hpp"

namespace hedgerow::python {

namespace nb = nanobind;
using namespace nanobind::literals;

void register_limits(nb::module_& m) {
  m.def(
      "set_limits",
      [](std::int64_t nodes, std::int64_t depth, std::int64_t pairs) {
        limits.nodes = nodes;
        limits.depth = depth;
        limits.pairs = pairs;
      },
      "nodes"_a, "depth"_a, "pairs"_a);
  m.def("beyond_limit", &beyond_limit, "what"_a, "name"_a, "limit"_a);
}

}  // namespace hedgerow::python
