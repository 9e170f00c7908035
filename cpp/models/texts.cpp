#include "models/texts.hpp"

#include <stdexcept>

namespace hedgerow::models {

void save_texts(State& state, const std::string& name, const Texts& texts) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> begin{0};
  for (std::int32_t id = 0; id < texts.size(); ++id) {
    bytes.insert(bytes.end(), texts[id].begin(), texts[id].end());
    begin.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  state.set(name + "_bytes", std::move(bytes));
  state.set(name + "_begin", std::move(begin));
}

Texts load_texts(const State& state, const std::string& name) {
  const auto& bytes = state.get<std::uint8_t>(name + "_bytes");
  const auto& begin = state.get<std::int64_t>(name + "_begin");
  const auto end = static_cast<std::int64_t>(bytes.size());
  if (begin.empty() || begin.front() != 0 || begin.back() != end)
    throw std::invalid_argument(name + " do not fit together");
  for (std::size_t i = 1; i < begin.size(); ++i)
    if (begin[i] < begin[i - 1]) throw std::invalid_argument(name + " do not begin in order");
  Texts texts;
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  for (std::size_t i = 1; i < begin.size(); ++i)
    if (texts.intern({text + begin[i - 1], text + begin[i]}) != static_cast<std::int32_t>(i - 1))
      throw std::invalid_argument(name + " are not distinct");
  return texts;
}

}  // namespace hedgerow::models
