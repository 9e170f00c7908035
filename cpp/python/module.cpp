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
  hedgerow::python::register_features(m);
  hedgerow::python::register_forest(m);
  hedgerow::python::register_models(m);
  hedgerow::python::register_callback_models(m);
  hedgerow::python::register_combined_models(m);
  hedgerow::python::register_string_models(m);
  hedgerow::python::register_tree_models(m);
  hedgerow::python::register_vector_models(m);
  hedgerow::python::register_strings(m);
  hedgerow::python::register_text(m);
  hedgerow::python::register_trees(m);
  hedgerow::python::register_vectors(m);
  hedgerow::python::register_parse_features(m);
  hedgerow::python::register_online(m);
  hedgerow::python::register_linear(m);
  hedgerow::python::register_winnow(m);
  hedgerow::python::register_ranking(m);
  hedgerow::python::register_svm(m);
  hedgerow::python::register_structured(m);
  hedgerow::python::register_online_structured(m);
  hedgerow::python::register_tokens(m);
  hedgerow::python::register_sequence(m);
  hedgerow::python::register_grammar(m);
  hedgerow::python::register_classes(m);
  hedgerow::python::register_solvers(m);
  hedgerow::python::register_inspection(m);
}
