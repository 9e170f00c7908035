#include "models/fields.hpp"

#include <cstring>

namespace hedgerow::models {
namespace {

double& number_at(void* structs, const Layout& layout, std::size_t k, std::size_t i) {
  return *reinterpret_cast<double*>(static_cast<char*>(structs) + k * layout.size + layout.offsets[i]);
}

}  // namespace

void Layout::add(const Field& field, std::ptrdiff_t offset) {
  fields.push_back(field);
  offsets.push_back(offset);
}

void check_range(const std::string& name, const Range& range, std::span<const double> values) {
  for (const double value : values)
    if (!range.holds(value)) throw std::invalid_argument(name + " must be " + range.words);
}

const std::vector<double>& numbers_in(const Range& range, const State& state, const std::string& name,
                                      std::size_t length) {
  const auto& values = state.get<double>(name, length);
  check_range(name, range, values);
  return values;
}

void save_columns(State& state, const std::string& prefix, const Layout& layout, const void* structs,
                  std::size_t n) {
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    std::vector<double> column(n);
    for (std::size_t k = 0; k < n; ++k) column[k] = number_at(const_cast<void*>(structs), layout, k, i);
    state.set(prefix + layout.fields[i].name, std::move(column));
  }
}

void load_columns(const State& state, const std::string& prefix, const Layout& layout, void* structs,
                  std::size_t n) {
  std::vector<const double*> columns;
  for (const auto& [name, range, mix] : layout.fields)
    columns.push_back(numbers_in(range, state, prefix + name, n).data());
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) number_at(structs, layout, k, i) = columns[i][k];
}

}  // namespace hedgerow::models
