// What a model remembers, as named arrays: the one form for copies, pickles and model files.
//
// A restored model goes on exactly as the original would have: sums that were added up over time are stored
// as they are, not added up again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hedgerow::models {

struct Items;

class State {
 public:
  // A state that stays in memory may share items, which others hold as arrays.
  enum class For { copies, memory };
  explicit State(For use = For::copies) : in_memory_(use == For::memory) {}
  bool in_memory() const { return in_memory_; }
  void share(const std::string& name, std::shared_ptr<const Items> items) {
    shared_[name] = std::move(items);
  }
  const std::shared_ptr<const Items>& shared(const std::string& name) const { return shared_.at(name); }

  using Array = std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                             std::vector<double>>;

  // Names of parts are joined by dots: "kernel.left.weights".
  template <class T>
  void set(const std::string& name, std::vector<T> values) {
    arrays_[name] = std::move(values);
  }
  template <class T>
  const std::vector<T>& get(const std::string& name) const {
    const auto entry = arrays_.find(name);
    if (entry == arrays_.end()) throw std::invalid_argument("the model lacks " + name);
    if (const auto* values = std::get_if<std::vector<T>>(&entry->second)) return *values;
    throw std::invalid_argument(name + " has the wrong type");
  }
  // An array whose length is known.
  template <class T>
  const std::vector<T>& get(const std::string& name, std::size_t length) const {
    const auto& values = get<T>(name);
    if (values.size() != length) throw std::invalid_argument(name + " has the wrong length");
    return values;
  }
  bool has(const std::string& name) const { return arrays_.contains(name); }
  const std::map<std::string, Array>& arrays() const { return arrays_; }
  std::map<std::string, Array>& arrays() { return arrays_; }

 private:
  bool in_memory_;
  std::map<std::string, Array> arrays_;
  std::map<std::string, std::shared_ptr<const Items>> shared_;
};

}  // namespace hedgerow::models
