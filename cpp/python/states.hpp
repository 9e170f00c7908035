// States of models as dictionaries of numpy arrays.
#pragma once

#include "models/state.hpp"
#include "python/arrays.hpp"

namespace hedgerow::python {

inline nb::dict to_dict(models::State&& state) {
  nb::dict result;
  for (auto& [name, array] : state.arrays())
    std::visit([&, &key = name](auto& values) { result[key.c_str()] = to_numpy(std::move(values)); }, array);
  return result;
}

template <class T>
bool add_array(models::State& state, const std::string& name, nb::handle value) {
  ArrayIn<T> array;
  if (!nb::try_cast<ArrayIn<T>>(value, array, false)) return false;
  state.set(name, std::vector<T>(array.data(), array.data() + array.size()));
  return true;
}

inline models::State from_dict(const nb::dict& arrays) {
  models::State state;
  for (auto [key, value] : arrays) {
    const auto name = nb::cast<std::string>(key);
    if (!add_array<std::uint8_t>(state, name, value) && !add_array<std::int32_t>(state, name, value) &&
        !add_array<std::int64_t>(state, name, value) && !add_array<double>(state, name, value))
      throw std::invalid_argument(name + " is no array of numbers");
  }
  return state;
}

}  // namespace hedgerow::python
