// Memory that is held back while a model changes, so that a change that has begun can be finished.
//
// An update touches many arrays, and any of them may grow. Undoing half of it would take a copy of the model
// for every example. Instead, a thread that learns holds back as much memory as an update can need, before it
// begins: if there is not so much, nothing has changed yet. When an allocation fails afterwards, the reserve
// is given up and the allocation tried again (by the new-handler), and the learner stops after the example.
//
// What is held back is address space that nobody touches: it takes no memory from anyone until it is given
// up.
#pragma once

#include <cstddef>
#include <new>

namespace hedgerow {

struct NoMemoryToLearn : std::bad_alloc {
  const char* what() const noexcept override {
    return "there is no memory to learn from more examples; all that was learned is kept";
  }
};

// The reserve of the calling thread. One that is made while there is another leaves all to that one.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  // Holds back what scratch memory takes, and `growth` bytes more. Throws NoMemoryToLearn.
  void hold(std::size_t growth) {
    if (growth + least > held_) hold_anew(growth + least);
  }
  // Throws NoMemoryToLearn if the reserve had to be given up since.
  void check() const {
    if (held_ == 0) throw NoMemoryToLearn();
  }

 private:
  static constexpr std::size_t least = std::size_t{16} << 20;

  static bool give_up();
  static void new_handler();
  void hold_anew(std::size_t bytes);

  std::size_t held_ = 0;
  MemoryReserve* outer_;
};

}  // namespace hedgerow
