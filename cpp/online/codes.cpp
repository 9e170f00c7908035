#include "online/codes.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::online {

void Codes::decode(const double* scores, double* out) const {
  const std::int32_t n = functions();
  if (scores_as_they_are()) {
    std::copy(scores, scores + n, out);
    return;
  }
  for (std::int32_t k = 0; k < classes_; ++k) {
    double votes = 0, sum = 0, used = 0;
    for (std::int32_t j = 0; j < n; ++j) {
      const double agreement = label(k, j) * scores[j];
      if (label(k, j) == 0) continue;
      // A score of 0 is a vote for the negative class, as in a decision between two.
      votes += agreement > 0 || (scores[j] == 0 && label(k, j) < 0) ? 1 : 0;
      sum += agreement;
      ++used;
    }
    // The sum decides between equal votes only: its part stays between -1/3 and 1/3.
    out[k] = decoding_ == Decoding::pairwise ? votes + sum / (3 * (std::abs(sum) + 1)) : sum / used;
  }
}

std::int32_t Codes::rival(const double* scores, std::int32_t of_class) const {
  std::int32_t best = of_class == 0 ? 1 : 0;
  for (std::int32_t k = best + 1; k < classes_; ++k)
    if (k != of_class && scores[k] > scores[best]) best = k;
  return best;
}

std::int32_t Codes::winner(const double* decoded) const {
  if (decoding_ == Decoding::binary) return decoded[0] > 0 ? 1 : 0;
  return static_cast<std::int32_t>(std::max_element(decoded, decoded + classes_) - decoded);
}

bool Codes::is_right(const double* decoded, std::int32_t of_class) const {
  if (decoding_ == Decoding::binary) return label(of_class, 0) * decoded[0] > 0;
  for (std::int32_t k = 0; k < classes_; ++k)
    if (k != of_class && decoded[k] >= decoded[of_class]) return false;
  return true;
}

}  // namespace hedgerow::online
