#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <string>

#include "models/callback_model.hpp"
#include "parallel.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// A Python object that native code may let go of without the interpreter's lock.
template <class Object>
std::shared_ptr<const Object> shared(Object object) {
  return {new Object(std::move(object)), [](const Object* own) {
            nb::gil_scoped_acquire acquire;
            delete own;
          }};
}

// Calls Python with its lock. Ctrl-C is reported as it is in native code; other exceptions pass through.
template <class Call>
auto with_python(Call&& call) {
  nb::gil_scoped_acquire acquire;
  try {
    // An interrupt may be on its way already, while the caller asks for the last values that it needs.
    const nb::error_scope pending;
    return call();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    error.restore();
    throw Interrupted();
  }
}

// A batch of hedgerow.kernels.batches: it knows its length, and how to select from and to join batches.
class PythonItems final : public models::ForeignItems {
 public:
  explicit PythonItems(nb::object batch)
      : batch_(shared(std::move(batch))), size_(static_cast<std::int64_t>(nb::len(*batch_))) {}
  std::int64_t size() const override { return size_; }
  std::shared_ptr<const models::Items> select(std::span<const std::int64_t> items) const override {
    return with_python([&]() -> std::shared_ptr<const models::Items> {
      return std::make_shared<PythonItems>(
          batch_->attr("select")(to_numpy(std::vector<std::int64_t>(items.begin(), items.end()))));
    });
  }
  std::shared_ptr<const models::ForeignItems> join(const models::ForeignItems& others) const override {
    return with_python([&]() -> std::shared_ptr<const models::ForeignItems> {
      return std::make_shared<PythonItems>(batch_->attr("join")(batch_of(others)));
    });
  }
  static const nb::object& batch_of(const models::ForeignItems& items) {
    return *dynamic_cast<const PythonItems&>(items).batch_;
  }

 private:
  std::shared_ptr<const nb::object> batch_;
  std::int64_t size_;
};

// An object of hedgerow.kernels.batches that computes a kernel of batches.
class PythonKernel final : public models::KernelCallback {
 public:
  explicit PythonKernel(nb::object kernel) : kernel_(shared(std::move(kernel))) {}
  void values(const models::ForeignItems& rows, const models::ForeignItems& columns,
              double* out) const override {
    fill("values", rows.size() * columns.size(), out, rows, columns);
  }
  void self_kernels(const models::ForeignItems& items, double* out) const override {
    fill("self_kernels", items.size(), out, items);
  }
  std::shared_ptr<const models::ForeignItems> nothing() const override {
    return with_python([&] { return std::make_shared<PythonItems>(kernel_->attr("nothing")()); });
  }
  std::vector<std::uint8_t> to_bytes(const models::ForeignItems& items) const override {
    return with_python([&] {
      const auto bytes = nb::cast<nb::bytes>(kernel_->attr("to_bytes")(PythonItems::batch_of(items)));
      const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
      return std::vector<std::uint8_t>(begin, begin + bytes.size());
    });
  }
  std::shared_ptr<const models::ForeignItems> from_bytes(std::span<const std::uint8_t> bytes) const override {
    return with_python([&] {
      return std::make_shared<PythonItems>(
          kernel_->attr("from_bytes")(nb::bytes(bytes.data(), bytes.size())));
    });
  }

 private:
  template <class... Batches>
  void fill(const char* method, std::int64_t size, double* out, const Batches&... batches) const {
    with_python([&] {
      const auto values = nb::cast<ArrayIn<double>>(kernel_->attr(method)(PythonItems::batch_of(batches)...));
      if (static_cast<std::int64_t>(values.size()) != size)
        throw std::invalid_argument("a kernel gave " + std::to_string(values.size()) +
                                    " values in place of " + std::to_string(size));
      std::copy_n(values.data(), size, out);
    });
  }

  std::shared_ptr<const nb::object> kernel_;
};

}  // namespace

void register_callback_models(nb::module_& m) {
  nb::class_<PythonItems, models::Items>(m, "PythonItems", "Items of a kernel that is written in Python.")
      .def(nb::init<nb::object>(), "batch"_a)
      .def_prop_ro("batch", [](const PythonItems& items) { return PythonItems::batch_of(items); });
  nb::class_<models::CallbackModel, models::KernelModel>(m, "CallbackModel")
      .def(
          "__init__",
          [](models::CallbackModel* self, nb::object kernel) {
            new (self) models::CallbackModel(1, std::make_shared<PythonKernel>(std::move(kernel)));
          },
          "kernel"_a);
}

}  // namespace hedgerow::python
