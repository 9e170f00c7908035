// Scratch memory that outlives a call, because what it remembers is worth keeping.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "brief_mutex.hpp"

namespace hedgerow::models {

// Threads take what others have given back. Objects are constructed from `arguments` when there are none.
template <class T>
class SpareScratch {
 public:
  template <class... Arguments>
  std::unique_ptr<T> take(Arguments&&... arguments) {
    {
      const std::lock_guard lock(brief_mutex(this));
      if (!spare_.empty()) {
        auto result = std::move(spare_.back());
        spare_.pop_back();
        return result;
      }
    }
    return std::make_unique<T>(std::forward<Arguments>(arguments)...);
  }
  void give_back(std::unique_ptr<T> scratch) {
    const std::lock_guard lock(brief_mutex(this));
    spare_.push_back(std::move(scratch));
  }

 private:
  std::vector<std::unique_ptr<T>> spare_;
};

}  // namespace hedgerow::models
