#include "python/bindings.hpp"

void register_combined_models(nanobind::module_&) {}
