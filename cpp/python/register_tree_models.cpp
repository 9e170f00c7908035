#include "python/bindings.hpp"

void register_tree_models(nanobind::module_&) {}
