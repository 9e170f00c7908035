// Parameters by name, as Python gives them to rules: each is looked up with the type that it must have, and
// one that nobody looks up is refused.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace hedgerow {

// The value that goes by the given word.
template <class Value>
Value one_of(const std::string& name, const std::string& given,
             std::initializer_list<std::pair<const char*, Value>> known) {
  std::string words;
  for (const auto& [word, value] : known) {
    if (given == word) return value;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  throw std::invalid_argument(name + " must be one of " + words + "; got " + given);
}

class Parameters {
 public:
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  // owner: what is made of them, for messages.
  Parameters(std::string owner, std::map<std::string, Value> values)
      : owner_(std::move(owner)), values_(std::move(values)) {}

  double number(const std::string& name) {
    const Value& value = look_up(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return as<double>(name, value, "a number");
  }
  std::int64_t whole(const std::string& name) {
    return as<std::int64_t>(name, look_up(name), "a whole number");
  }
  std::int64_t whole(const std::string& name, std::int64_t otherwise) {
    return values_.contains(name) ? whole(name) : otherwise;
  }
  std::optional<std::int64_t> whole_or_none(const std::string& name) {
    if (std::holds_alternative<std::monostate>(look_up(name))) return std::nullopt;
    return whole(name);
  }
  bool flag(const std::string& name) { return as<bool>(name, look_up(name), "true or false"); }
  template <class Choice>
  Choice choice(const std::string& name, std::initializer_list<std::pair<const char*, Choice>> known) {
    return one_of<Choice>(name, as<std::string>(name, look_up(name), "a word"), known);
  }

  // All have been looked up.
  void finish() const {
    for (const auto& [name, value] : values_)
      if (!known_.contains(name)) throw std::invalid_argument(owner_ + " has no parameter " + name);
  }

 private:
  const Value& look_up(const std::string& name) {
    const auto entry = values_.find(name);
    if (entry == values_.end()) throw std::invalid_argument(owner_ + " needs the parameter " + name);
    known_.insert(name);
    return entry->second;
  }
  template <class T>
  const T& as(const std::string& name, const Value& value, const char* words) const {
    if (const T* found = std::get_if<T>(&value)) return *found;
    throw std::invalid_argument(name + " of " + owner_ + " must be " + words);
  }

  std::string owner_;
  std::map<std::string, Value> values_;
  std::set<std::string> known_;
};

}  // namespace hedgerow
