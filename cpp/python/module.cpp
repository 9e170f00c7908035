#include "parallel.hpp"
#include "python/bindings.hpp"

namespace {

// Lets Python handle Ctrl-C during long native calls, which have released the GIL.
bool signal_arrived() {
  nanobind::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

void raise_interrupt(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const hedgerow::Interrupted&) {
    // The handler of the signal has set the error already, KeyboardInterrupt as a rule.
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Native core of hedgerow. Private: use the names that the package exports.";
  // Models that are still there when Python exits are no leak.
  nanobind::set_leak_warnings(false);
  hedgerow::wants_to_stop = signal_arrived;
  nanobind::register_exception_translator(raise_interrupt);
  register_features(m);
  register_forest(m);
  register_models(m);
  register_combined_models(m);
  register_string_models(m);
  register_tree_models(m);
  register_vector_models(m);
  register_strings(m);
  register_text(m);
  register_trees(m);
  register_vectors(m);
  register_parse_features(m);
  register_online(m);
  register_linear(m);
  register_gradient_rules(m);
  register_winnow_rules(m);
  register_ranking(m);
  register_svm(m);
  register_structured(m);
  register_online_structured(m);
  register_tokens(m);
  register_sequence(m);
  register_grammar(m);
  register_classes(m);
  register_solvers(m);
  register_inspection(m);
}
