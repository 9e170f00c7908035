#include "memory_reserve.hpp"

#include <mutex>
#include <utility>

#include "platform.hpp"

namespace hedgerow {
namespace {

// Address space of a thread, kept for its next reserve while it is not large.
class Mapping {
 public:
  ~Mapping() { release(); }
  std::size_t size() const { return size_; }
  bool take(std::size_t bytes) {
    release();
    memory_ = map_zeros(bytes, true);
    if (!memory_) return false;
    size_ = bytes;
    return true;
  }
  void release() {
    if (size_ > 0) unmap(memory_, std::exchange(size_, 0));
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

thread_local Mapping mapping;
thread_local MemoryReserve* current = nullptr;
std::new_handler handler_before = nullptr;

}  // namespace

MemoryReserve::MemoryReserve() : outer_(std::exchange(current, this)) {
  static std::once_flag installed;
  std::call_once(installed, [] { handler_before = std::set_new_handler(new_handler); });
  held_ = outer_ ? outer_->held_ : mapping.size();
}

MemoryReserve::~MemoryReserve() {
  current = outer_;
  if (outer_)
    outer_->held_ = held_;
  else if (mapping.size() > 2 * least)
    mapping.release();
}

void MemoryReserve::hold_anew(std::size_t bytes) {
  // Half as much again, lest a model that grows needs another one soon.
  if (mapping.take(bytes + bytes / 2) || mapping.take(bytes)) {
    held_ = mapping.size();
    return;
  }
  held_ = 0;
  throw NoMemoryToLearn();
}

bool MemoryReserve::give_up() {
  if (!current || current->held_ == 0) return false;
  current->held_ = 0;
  mapping.release();
  return true;
}

void MemoryReserve::new_handler() {
  if (give_up()) return;
  if (!handler_before) throw std::bad_alloc();
  handler_before();
}

}  // namespace hedgerow
