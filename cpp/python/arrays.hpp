// Numpy arrays from and to vectors.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace hedgerow::python {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using ArrayOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A matrix that Python allocated and native code fills.
template <class Real>
using MatrixOut = nb::ndarray<Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Real>
void check_shape(const MatrixOut<Real>& out, std::int64_t rows, std::int64_t columns) {
  if (static_cast<std::int64_t>(out.shape(0)) != rows || static_cast<std::int64_t>(out.shape(1)) != columns)
    throw std::invalid_argument("the matrix does not have the shape of the result");
}

// Hands the vector's memory to numpy.
template <class T>
Array<T> to_numpy(std::vector<T>&& values) {
  auto* owner = new std::vector<T>(std::move(values));
  nb::capsule capsule(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(owner->data(), {owner->size()}, capsule);
}

// An array of n values, which native code fills.
template <class T>
Array<T> new_numpy(std::int64_t n) {
  auto* values = new T[n];
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(values, {static_cast<std::size_t>(n)}, owner);
}

template <class T>
std::span<const T> as_span(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

// Memory of numpy arrays, kept alive by whoever holds the result.
template <class... Arrays>
std::shared_ptr<const void> keep(Arrays... arrays) {
  return std::make_shared<std::tuple<Arrays...>>(std::move(arrays)...);
}

// Memory that someone else keeps, as a numpy array that can only be read.
template <class T, class... Sizes>
auto kept_numpy(const T* values, std::shared_ptr<const void> owner, Sizes... sizes) {
  auto* copy = new std::shared_ptr<const void>(std::move(owner));
  nb::capsule capsule(copy, [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
  return nb::ndarray<nb::numpy, const T, nb::ndim<sizeof...(Sizes)>>(
      values, {static_cast<std::size_t>(sizes)...}, capsule);
}

inline nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

}  // namespace hedgerow::python
