// The innermost loop of the partial tree kernel: D of a node with many subtrees whose children match in one
// way.
#pragma once

#include <cstdint>

#include "kernels/wide.hpp"

namespace hedgerow::kernels {

// A cell that may come before another in a common subsequence of children, and decay^gaps between the two.
template <class Real>
struct EarlierCell {
  std::int32_t cell;
  Real factor;
};

// A pair of matching children, and where D of the two comes from: a vector, or one value with an exception.
template <class Real>
struct CellSource {
  const std::int32_t* position;  // of the child of each subtree
  const Real* vector;            // null: use the values
  Real common, exception;
  std::int32_t exception_position;
  std::int32_t first_earlier, n_earlier;
};
inline constexpr std::int32_t most_cells = 64;

// Where results go: subtree s to place[s], or to s when that is null.
template <class Real>
struct Targets {
  const std::int32_t* place;
  Real base;
  Real* d;
  Real* sum;
};

// beyond = vertical * sum over cells of S, with S = D (1 + sum over earlier cells of factor * S);
// d = base + beyond, sum += beyond. Reads positions up to the next multiple of eight, and writes there when
// `place` is null.
void evaluate(const CellSource<float>* cells, std::int32_t n_cells, const EarlierCell<float>* earlier,
              std::int32_t size, float vertical, const Targets<float>& targets);
void evaluate(const CellSource<double>* cells, std::int32_t n_cells, const EarlierCell<double>* earlier,
              std::int32_t size, double vertical, const Targets<double>& targets);
void evaluate(const CellSource<Wide>* cells, std::int32_t n_cells, const EarlierCell<Wide>* earlier,
              std::int32_t size, const Wide& vertical, const Targets<Wide>& targets);

}  // namespace hedgerow::kernels
