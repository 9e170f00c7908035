#include "structured/space.hpp"

#include <stdexcept>

namespace hedgerow::structured {

void PlainSpace::add_image(SparseVector x, double factor, std::span<double> scores) const {
  for (std::size_t k = 0; k < x.indices.size(); ++k) scores[x.indices[k]] += factor * x.values[k];
}

KernelSpace::KernelSpace(std::shared_ptr<svm::SvmKernel> kernel, std::int64_t plain_coordinates,
                         std::int64_t output_features)
    : kernel_(std::move(kernel)), plain_(plain_coordinates), outputs_(output_features) {
  if (plain_ < 0 || outputs_ < 1) throw std::invalid_argument("a kernel space needs output features");
}

void KernelSpace::add_image(SparseVector x, double factor, std::span<double> scores) const {
  std::size_t k = 0;
  for (; k < x.indices.size() && x.indices[k] < plain_; ++k) scores[x.indices[k]] += factor * x.values[k];
  if (k == x.indices.size()) return;
  kernel_->with_rows([&](auto& rows) {
    const std::int64_t items = rows.size();
    while (k < x.indices.size()) {
      const std::int64_t item = (x.indices[k] - plain_) / outputs_;
      const std::int64_t begin = plain_ + item * outputs_, end = begin + outputs_;
      const std::size_t first = k;
      while (k < x.indices.size() && x.indices[k] < end) ++k;
      const auto* row = rows.row(static_cast<std::int32_t>(item));
      // Scores are many: they are gone through once, for all output features of the item.
      double* out = scores.data() + plain_;
      for (std::int64_t j = 0; j < items; ++j, out += outputs_) {
        const double value = factor * static_cast<double>(row[j]);
        for (std::size_t l = first; l < k; ++l) out[x.indices[l] - begin] += value * x.values[l];
      }
    }
  });
}

}  // namespace hedgerow::structured
