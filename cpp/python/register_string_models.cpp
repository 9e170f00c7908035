#include "python/bindings.hpp"

void register_string_models(nanobind::module_&) {}
