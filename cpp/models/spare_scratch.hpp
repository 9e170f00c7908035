// Scratch memory that outlives a call, because what it remembers is worth keeping.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hedgerow::models {

// Threads take what others have given back. Objects are constructed from `arguments` when there are none.
template <class T>
class SpareScratch {
 public:
  template <class... Arguments>
  std::unique_ptr<T> take(Arguments&&... arguments) {
    const std::lock_guard lock(guard_);
    if (spare_.empty()) return std::make_unique<T>(std::forward<Arguments>(arguments)...);
    auto result = std::move(spare_.back());
    spare_.pop_back();
    return result;
  }
  void give_back(std::unique_ptr<T> scratch) {
    const std::lock_guard lock(guard_);
    spare_.push_back(std::move(scratch));
  }

 private:
  std::mutex guard_;
  std::vector<std::unique_ptr<T>> spare_;
};

}  // namespace hedgerow::models
