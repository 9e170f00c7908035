// The loops of SMO: bringing the gradient up to date and choosing what to change next.
//
// Whether coefficient p may grow or shrink stands in two arrays that are added to the gradient g:
//
//   rise[p] = 0 or -inf   the largest g[p] + rise[p] belongs to one that may grow
//   fall[p] = 0 or +inf   the smallest g[p] + fall[p] belongs to one that may shrink
//
// so that the loops need no branches. Of equal candidates the first is taken.
#pragma once

#include <cstdint>

namespace hedgerow::svm {

// Curvatures are at least this, also where the kernel is not positive definite.
inline constexpr double least_curvature = 1e-12;

struct Direction {
  const double* rise;
  const double* fall;
};

// With a bias: coefficients change in pairs, whose sum stays the same.
struct Extremes {
  double highest, lowest;  // g of those that may grow, and of those that may shrink
  std::int32_t top;        // where the highest is; -1 when none may grow
};

// g -= a * row_a + b * row_b, then the extremes of g.
Extremes update_pair(double a, const float* row_a, double b, const float* row_b, Direction may,
                     std::int64_t n, double* g);
Extremes update_pair(double a, const double* row_a, double b, const double* row_b, Direction may,
                     std::int64_t n, double* g);
Extremes find_extremes(const double* g, Direction may, std::int64_t n);

// What the pair (i, j) gains: (g_i - g_j)^2 / (K_ii + K_jj - 2 K_ij), for the j that may shrink where this is
// largest (Fan, Chen and Lin 2005, WSS 2). The row is that of i. -1 when there is none.
std::int32_t best_partner(double g_i, double k_ii, const float* row, const double* diagonal, const double* g,
                          const double* fall, std::int64_t n);
std::int32_t best_partner(double g_i, double k_ii, const double* row, const double* diagonal, const double* g,
                          const double* fall, std::int64_t n);

// Without a bias: each coefficient for itself.
struct Steepest {
  double violation;   // the largest |g| in a direction in which the coefficient may go
  std::int32_t best;  // where g^2 / K_ii is largest among these; -1 when there are none
};

// g -= a * row, then the steepest. The curvatures are positive.
Steepest update_one(double a, const float* row, const double* curvature, Direction may, std::int64_t n,
                    double* g);
Steepest update_one(double a, const double* row, const double* curvature, Direction may, std::int64_t n,
                    double* g);
Steepest find_steepest(const double* g, const double* curvature, Direction may, std::int64_t n);

}  // namespace hedgerow::svm
