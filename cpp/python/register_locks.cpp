#include <memory>

#include "python/bindings.hpp"
#include "python/locks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// A way into a lock. Estimators call their own methods, so a thread may take again what it has.
struct Entrance {
  std::shared_ptr<Lock> lock;
  bool writing;

  void enter() const {
    const auto held = find_hold(*lock);
    if (held == holds.end()) {
      holds.reserve(holds.size() + 1);
      take_with_gil(*lock, writing);
      holds.push_back({lock.get(), writing, 1});
    } else if (writing && !held->writing) {
      throw std::runtime_error("what a model calls while it predicts or is copied cannot change it");
    } else {
      ++held->depth;
    }
  }
  void leave() const {
    const auto held = find_hold(*lock);
    if (held == holds.end()) throw std::runtime_error("this thread does not hold the lock");
    if (--held->depth > 0) return;
    const bool was_writing = held->writing;
    holds.erase(held);
    lock->leave(was_writing);
  }
};

}  // namespace

void register_locks(nb::module_& m) {
  nb::class_<Entrance>(m, "Entrance", "Holds a lock inside a with statement.")
      .def("__enter__", [](const Entrance& self) { self.enter(); })
      .def(
          "__exit__", [](const Entrance& self, nb::handle, nb::handle, nb::handle) { self.leave(); },
          "type"_a.none(), "value"_a.none(), "traceback"_a.none());
  m.def(
      "new_lock",
      [] {
        const auto lock = std::make_shared<Lock>();
        return nb::make_tuple(Entrance{lock, false}, Entrance{lock, true});
      },
      nb::sig("def new_lock() -> tuple[Entrance, Entrance]"),
      "A lock's entrances for reading, which many threads may do, and for writing, which one may.");
}

}  // namespace hedgerow::python
