#include "python/bindings.hpp"

void register_vector_models(nanobind::module_&) {}
