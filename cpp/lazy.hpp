// Lazy: what follows from other state, made when it is first asked for. Several threads may ask at once;
// whoever changes that state has it alone, and says `reset`.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

namespace hedgerow {

template <class Value>
class Lazy {
 public:
  template <class Make>
  const Value& get(Make&& make) const {
    if (!is_made_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!value_) value_.emplace(make());
      is_made_.store(true, std::memory_order_release);
    }
    return *value_;
  }
  void reset() {
    if (!is_made_.load(std::memory_order_relaxed)) return;
    value_.reset();
    is_made_.store(false, std::memory_order_relaxed);
  }

 private:
  mutable std::atomic<bool> is_made_ = false;
  mutable std::mutex mutex_;
  mutable std::optional<Value> value_;
};

}  // namespace hedgerow
