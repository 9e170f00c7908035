// One registering function a topic; bindings hold no logic of their own.
#pragma once

#include <nanobind/nanobind.h>

namespace hedgerow::python {

void register_callback_models(nanobind::module_& m);
void register_classes(nanobind::module_& m);
void register_combined_models(nanobind::module_& m);
void register_features(nanobind::module_& m);
void register_forest(nanobind::module_& m);
void register_grammar(nanobind::module_& m);
void register_inspection(nanobind::module_& m);
void register_limits(nanobind::module_& m);
void register_linear(nanobind::module_& m);
void register_locks(nanobind::module_& m);
void register_models(nanobind::module_& m);
void register_neighbors(nanobind::module_& m);
void register_online(nanobind::module_& m);
void register_online_structured(nanobind::module_& m);
void register_fragment_hash(nanobind::module_& m);
void register_parse_features(nanobind::module_& m);
void register_ranking(nanobind::module_& m);
void register_sequence(nanobind::module_& m);
void register_solvers(nanobind::module_& m);
void register_string_models(nanobind::module_& m);
void register_strings(nanobind::module_& m);
void register_structured(nanobind::module_& m);
void register_svm(nanobind::module_& m);
void register_text(nanobind::module_& m);
void register_text_hash(nanobind::module_& m);
void register_tokens(nanobind::module_& m);
void register_tree_models(nanobind::module_& m);
void register_trees(nanobind::module_& m);
void register_vector_models(nanobind::module_& m);
void register_vectors(nanobind::module_& m);
void register_winnow(nanobind::module_& m);

}  // namespace hedgerow::python
