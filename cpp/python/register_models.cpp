#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "models/kernel_model.hpp"
#include "parallel.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/states.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

void check_item(const models::Items& items, std::int64_t item) {
  if (item < 0 || item >= items.size()) throw nb::index_error("item out of range");
}

}  // namespace

void register_models(nb::module_& m) {
  nb::class_<models::Items>(m, "Items", "Examples as expansions take them.")
      .def("__len__", [](const models::Items& items) { return items.size(); })
      .def(
          "select",
          [](const models::Items& items, ArrayIn<std::int64_t> numbers) {
            for (std::int64_t number : as_span(numbers)) check_item(items, number);
            return std::const_pointer_cast<models::Items>(items.select(as_span(numbers)));
          },
          "numbers"_a, "Copies of some of the items, in the given order.");
  nb::class_<models::TreeItems, models::Items>(m, "TreeItems")
      .def("__init__",
           [](models::TreeItems* self, std::shared_ptr<data::Forest> forest) {
             new (self) models::TreeItems(std::move(forest));
           })
      .def_prop_ro("forest", [](const models::TreeItems& items) {
        return std::const_pointer_cast<data::Forest>(items.forest);
      });
  nb::class_<models::DenseItems, models::Items>(m, "DenseItems")
      .def(
          "__init__",
          [](models::DenseItems* self,
             nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows) {
            new (self) models::DenseItems(rows.data(), rows.shape(0), rows.shape(1), keep(rows));
          },
          "rows"_a)
      .def_prop_ro(
          "rows",
          [](const models::DenseItems& items) {
            return kept_numpy(items.values, items.owner, items.rows, items.width);
          },
          nb::rv_policy::reference);
  nb::class_<models::PairItems, models::Items>(m, "PairItems")
      .def(
          "__init__",
          [](models::PairItems* self, std::shared_ptr<models::Items> left,
             std::shared_ptr<models::Items> right) {
            new (self) models::PairItems(std::move(left), std::move(right));
          },
          "left"_a, "right"_a)
      .def_prop_ro(
          "left",
          [](const models::PairItems& items) { return std::const_pointer_cast<models::Items>(items.left); })
      .def_prop_ro("right", [](const models::PairItems& items) {
        return std::const_pointer_cast<models::Items>(items.right);
      });

  nb::class_<models::KernelModel>(m, "KernelModel",
                                  "Supports in slots under one kernel, with columns of weights.")
      .def("empty", &models::KernelModel::empty, "columns"_a, "An empty model of the same kernel.")
      .def_prop_ro("columns", &models::KernelModel::columns)
      .def_prop_ro("slots", &models::KernelModel::slots)
      .def(
          "put",
          [](models::KernelModel& model, std::int32_t slot, std::shared_ptr<models::Items> items,
             std::int64_t item) {
            check_item(*items, item);
            if (slot < 0 || slot > model.slots()) throw nb::index_error("slot out of range");
            model.open(std::move(items));
            model.put(slot, item);
            model.close();
          },
          "slot"_a, "items"_a, "item"_a, "Makes an item a support in a free slot, or in the next.")
      .def(
          "put_all",
          [](models::KernelModel& model, std::shared_ptr<models::Items> items, ArrayIn<std::int32_t> slots) {
            if (static_cast<std::int64_t>(slots.size()) != items->size())
              throw std::invalid_argument("there must be one slot for each item");
            const auto slot = as_span(slots);
            nb::gil_scoped_release release;
            model.open(std::move(items));
            for (std::size_t i = 0; i < slot.size(); ++i) {
              stop_if_asked();
              if (slot[i] < 0 || slot[i] > model.slots()) throw std::invalid_argument("slot out of range");
              model.put(slot[i], static_cast<std::int64_t>(i));
            }
            model.close();
          },
          "items"_a, "slots"_a, "Makes items supports in free slots, or in the next ones.")
      .def(
          "add_weights",
          [](models::KernelModel& model, ArrayIn<std::int32_t> slots, std::int32_t column,
             ArrayIn<double> deltas) {
            if (slots.size() != deltas.size())
              throw std::invalid_argument("there must be one weight for each slot");
            if (column < 0 || column >= model.columns()) throw nb::index_error("column out of range");
            for (std::int32_t slot : as_span(slots))
              if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            nb::gil_scoped_release release;
            for (std::size_t i = 0; i < slots.size(); ++i)
              model.add_weight(slots.data()[i], column, deltas.data()[i]);
          },
          "slots"_a, "column"_a, "deltas"_a)
      .def(
          "add_weight",
          [](models::KernelModel& model, std::int32_t slot, std::int32_t column, double delta) {
            if (slot < 0 || slot >= model.slots() || column < 0 || column >= model.columns())
              throw nb::index_error("slot or column out of range");
            model.add_weight(slot, column, delta);
          },
          "slot"_a, "column"_a, "delta"_a)
      .def(
          "scale_weights",
          [](models::KernelModel& model, std::int32_t column, double factor) {
            if (column < 0 || column >= model.columns()) throw nb::index_error("column out of range");
            model.scale_weights(column, factor);
          },
          "column"_a, "factor"_a)
      .def(
          "erase",
          [](models::KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            model.erase(slot);
          },
          "slot"_a)
      .def(
          "scores",
          [](models::KernelModel& model, std::shared_ptr<models::Items> items) {
            const std::int64_t n = items->size();
            std::vector<double> out(n * model.columns());
            model.open(std::move(items));
            for (std::int64_t i = 0; i < n; ++i)
              model.scores(i, model.columns(), out.data() + i * model.columns());
            model.close();
            return to_numpy(std::move(out));
          },
          "items"_a, "One item at a time, as while learning; row-major.")
      .def(
          "rows",
          [](models::KernelModel& model, std::shared_ptr<models::Items> items) {
            const std::int64_t n = items->size();
            std::vector<double> out(n * model.slots());
            model.open(std::move(items));
            for (std::int64_t i = 0; i < n; ++i) model.row(i, out.data() + i * model.slots());
            model.close();
            return to_numpy(std::move(out));
          },
          "items"_a, "One item at a time, as while learning; row-major.")
      .def(
          "self_kernels",
          [](models::KernelModel& model, std::shared_ptr<models::Items> items) {
            const std::int64_t n = items->size();
            std::vector<double> out(n);
            model.open(std::move(items));
            for (std::int64_t i = 0; i < n; ++i) out[i] = model.self_kernel(i);
            model.close();
            return to_numpy(std::move(out));
          },
          "items"_a)
      .def(
          "support_scores",
          [](models::KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            std::vector<double> out(model.columns());
            model.support_scores(slot, model.columns(), out.data());
            return to_numpy(std::move(out));
          },
          "slot"_a)
      .def(
          "support_row",
          [](models::KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            std::vector<double> out(model.slots());
            model.support_row(slot, out.data());
            return to_numpy(std::move(out));
          },
          "slot"_a)
      .def(
          "support_self_kernel",
          [](models::KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            return model.support_self_kernel(slot);
          },
          "slot"_a)
      .def(
          "supports",
          [](const models::KernelModel& model, ArrayIn<std::int32_t> slots) {
            for (std::int32_t slot : as_span(slots))
              if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            return std::const_pointer_cast<models::Items>(model.supports(as_span(slots)));
          },
          "slots"_a)
      .def(
          "score_batch",
          [](const models::KernelModel& model, const models::Items& items, int threads) {
            std::vector<double> out(items.size() * model.columns());
            {
              nb::gil_scoped_release release;
              model.score_batch(items, model.columns(), threads, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a, "Row-major.")
      .def(
          "row_batch",
          [](const models::KernelModel& model, const models::Items& items, int threads) {
            std::vector<double> out(items.size() * model.slots());
            {
              nb::gil_scoped_release release;
              model.row_batch(items, threads, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a, "Row-major.")
      .def(
          "self_kernel_batch",
          [](const models::KernelModel& model, const models::Items& items, int threads) {
            std::vector<double> out(items.size());
            {
              nb::gil_scoped_release release;
              model.self_kernel_batch(items, threads, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a)
      .def("freeze", &models::KernelModel::freeze, "single"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("save",
           [](const models::KernelModel& model) {
             models::State state;
             model.save(state, "");
             return to_dict(std::move(state));
           })
      .def(
          "load",
          [](const models::KernelModel& model, std::int32_t columns, const nb::dict& arrays) {
            auto copy = model.empty(columns);
            copy->load(from_dict(arrays), "");
            return copy;
          },
          "columns"_a, "arrays"_a, "A model of the same kernel with what `save` gave.");
}

}  // namespace hedgerow::python
