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
using namespace hedgerow;
using namespace hedgerow::python;

namespace {

void check_item(const Items& items, std::int64_t item) {
  if (item < 0 || item >= items.size()) throw nb::index_error("item out of range");
}

}  // namespace

void register_models(nb::module_& m) {
  nb::class_<Items>(m, "Items", "Examples as expansions take them.")
      .def("__len__", [](const Items& items) { return items.size(); })
      .def(
          "select",
          [](const Items& items, ArrayIn<std::int64_t> numbers) {
            for (std::int64_t number : as_span(numbers)) check_item(items, number);
            return std::const_pointer_cast<Items>(items.select(as_span(numbers)));
          },
          "numbers"_a, "Copies of some of the items, in the given order.");
  nb::class_<TreeItems, Items>(m, "TreeItems")
      .def("__init__",
           [](TreeItems* self, std::shared_ptr<Forest> forest) { new (self) TreeItems(std::move(forest)); })
      .def_prop_ro("forest",
                   [](const TreeItems& items) { return std::const_pointer_cast<Forest>(items.forest); });
  nb::class_<DenseItems, Items>(m, "DenseItems")
      .def(
          "__init__",
          [](DenseItems* self, nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows) {
            new (self) DenseItems(rows.data(), rows.shape(0), rows.shape(1), keep(rows));
          },
          "rows"_a)
      .def_prop_ro(
          "rows",
          [](const DenseItems& items) {
            return kept_numpy(items.values, items.owner, items.rows, items.width);
          },
          nb::rv_policy::reference);
  nb::class_<PairItems, Items>(m, "PairItems")
      .def(
          "__init__",
          [](PairItems* self, std::shared_ptr<Items> left, std::shared_ptr<Items> right) {
            new (self) PairItems(std::move(left), std::move(right));
          },
          "left"_a, "right"_a)
      .def_prop_ro("left", [](const PairItems& items) { return std::const_pointer_cast<Items>(items.left); })
      .def_prop_ro("right",
                   [](const PairItems& items) { return std::const_pointer_cast<Items>(items.right); });

  nb::class_<KernelModel>(m, "KernelModel", "Supports in slots under one kernel, with columns of weights.")
      .def("empty", &KernelModel::empty, "columns"_a, "An empty model of the same kernel.")
      .def_prop_ro("columns", &KernelModel::columns)
      .def_prop_ro("slots", &KernelModel::slots)
      .def(
          "put",
          [](KernelModel& model, std::int32_t slot, std::shared_ptr<Items> items, std::int64_t item) {
            check_item(*items, item);
            if (slot < 0 || slot > model.slots()) throw nb::index_error("slot out of range");
            model.open(std::move(items));
            model.put(slot, item);
            model.close();
          },
          "slot"_a, "items"_a, "item"_a, "Makes an item a support in a free slot, or in the next.")
      .def(
          "put_all",
          [](KernelModel& model, std::shared_ptr<Items> items, ArrayIn<std::int32_t> slots) {
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
          [](KernelModel& model, ArrayIn<std::int32_t> slots, std::int32_t column, ArrayIn<double> deltas) {
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
          [](KernelModel& model, std::int32_t slot, std::int32_t column, double delta) {
            if (slot < 0 || slot >= model.slots() || column < 0 || column >= model.columns())
              throw nb::index_error("slot or column out of range");
            model.add_weight(slot, column, delta);
          },
          "slot"_a, "column"_a, "delta"_a)
      .def(
          "scale_weights",
          [](KernelModel& model, std::int32_t column, double factor) {
            if (column < 0 || column >= model.columns()) throw nb::index_error("column out of range");
            model.scale_weights(column, factor);
          },
          "column"_a, "factor"_a)
      .def(
          "erase",
          [](KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            model.erase(slot);
          },
          "slot"_a)
      .def(
          "scores",
          [](KernelModel& model, std::shared_ptr<Items> items) {
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
          [](KernelModel& model, std::shared_ptr<Items> items) {
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
          [](KernelModel& model, std::shared_ptr<Items> items) {
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
          [](KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            std::vector<double> out(model.columns());
            model.support_scores(slot, model.columns(), out.data());
            return to_numpy(std::move(out));
          },
          "slot"_a)
      .def(
          "support_row",
          [](KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            std::vector<double> out(model.slots());
            model.support_row(slot, out.data());
            return to_numpy(std::move(out));
          },
          "slot"_a)
      .def(
          "support_self_kernel",
          [](KernelModel& model, std::int32_t slot) {
            if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            return model.support_self_kernel(slot);
          },
          "slot"_a)
      .def(
          "supports",
          [](const KernelModel& model, ArrayIn<std::int32_t> slots) {
            for (std::int32_t slot : as_span(slots))
              if (slot < 0 || slot >= model.slots()) throw nb::index_error("slot out of range");
            return std::const_pointer_cast<Items>(model.supports(as_span(slots)));
          },
          "slots"_a)
      .def(
          "score_batch",
          [](const KernelModel& model, const Items& items, int threads) {
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
          [](const KernelModel& model, const Items& items, int threads) {
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
          [](const KernelModel& model, const Items& items, int threads) {
            std::vector<double> out(items.size());
            {
              nb::gil_scoped_release release;
              model.self_kernel_batch(items, threads, out.data());
            }
            return to_numpy(std::move(out));
          },
          "items"_a, "threads"_a)
      .def("freeze", &KernelModel::freeze, "single"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("save",
           [](const KernelModel& model) {
             State state;
             model.save(state, "");
             return to_dict(std::move(state));
           })
      .def(
          "load",
          [](const KernelModel& model, std::int32_t columns, const nb::dict& arrays) {
            auto copy = model.empty(columns);
            copy->load(from_dict(arrays), "");
            return copy;
          },
          "columns"_a, "arrays"_a, "A model of the same kernel with what `save` gave.");
}
