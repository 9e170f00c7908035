#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

#include "parallel.hpp"
#include "python/bindings.hpp"

namespace {

// Signals reach the main thread only; it can ask others to stop by a flag that they listen to.
struct Stopper {
  std::atomic<bool> asked = false;
};
thread_local const Stopper* listens_to = nullptr;

// Lets Python handle Ctrl-C during long native calls, which have released the GIL.
bool signal_arrived() {
  nanobind::gil_scoped_acquire acquire;
  if (listens_to != nullptr && listens_to->asked) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return true;
  }
  return PyErr_CheckSignals() != 0;
}

void raise_interrupt(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const hedgerow::Interrupted&) {
    // The handler of the signal has set the error already, KeyboardInterrupt as a rule.
  }
}

void register_stopper(nanobind::module_& m) {
  using nanobind::handle;
  nanobind::class_<Stopper>(m, "Stopper",
                            "Stops native calls inside its with statement, in any thread, as Ctrl-C does.")
      .def(nanobind::init<>())
      .def("stop", [](Stopper& self) { self.asked = true; })
      .def("__enter__", [](const Stopper& self) { listens_to = &self; })
      .def(
          "__exit__", [](const Stopper&, handle, handle, handle) { listens_to = nullptr; },
          nanobind::arg("type").none(), nanobind::arg("value").none(), nanobind::arg("traceback").none());
}

#if PY_VERSION_HEX < 0x030E0000
std::terminate_handler terminate_otherwise = nullptr;

// Until Python 3.14, a daemon thread that comes back from native code while Python exits is ended by an
// exception, which must not leave the destructor that it is in. The thread waits for the end of the process
// instead, as it does in later versions.
[[noreturn]] void wait_for_the_end() {
  if (!Py_IsInitialized())
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  terminate_otherwise();
  std::abort();
}
#endif

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Native core of hedgerow. Private: use the names that the package exports.";
  // Models that are still there when Python exits are no leak.
  nanobind::set_leak_warnings(false);
  hedgerow::wants_to_stop = signal_arrived;
#if PY_VERSION_HEX < 0x030E0000
  terminate_otherwise = std::set_terminate(wait_for_the_end);
#endif
  nanobind::register_exception_translator(raise_interrupt);
  register_stopper(m);
  hedgerow::python::register_limits(m);
  hedgerow::python::register_locks(m);
  hedgerow::python::register_features(m);
  hedgerow::python::register_forest(m);
  hedgerow::python::register_models(m);
  hedgerow::python::register_callback_models(m);
  hedgerow::python::register_combined_models(m);
  hedgerow::python::register_string_models(m);
  hedgerow::python::register_tree_models(m);
  hedgerow::python::register_neighbors(m);
  hedgerow::python::register_vector_models(m);
  hedgerow::python::register_strings(m);
  hedgerow::python::register_text(m);
  hedgerow::python::register_text_hash(m);
  hedgerow::python::register_trees(m);
  hedgerow::python::register_vectors(m);
  hedgerow::python::register_fragment_hash(m);
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
