#include "structured/constraint.hpp"

namespace hedgerow::structured {

Constraint constraint_from(const Candidate& candidate, const Question& question) {
  Constraint made{.indices = candidate.indices, .values = candidate.values};
  made.loss = candidate.loss;
  made.offset = question.search == Question::Search::best_wrong ? 1 : question.height(candidate.loss);
  if (question.search == Question::Search::slack)
    for (double& value : made.values) value *= made.offset;
  if (candidate.weight != 1) {
    made.offset *= candidate.weight;
    for (double& value : made.values) value *= candidate.weight;
  }
  return made;
}

double product(SparseVector a, SparseVector b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.indices.size() && j < b.indices.size();) {
    if (a.indices[i] == b.indices[j])
      sum += a.values[i++] * b.values[j++];
    else if (a.indices[i] < b.indices[j])
      ++i;
    else
      ++j;
  }
  return sum;
}

double known_product(SparseVector row, std::span<const double> weights) {
  std::size_t known = row.indices.size();
  while (known > 0 && static_cast<std::size_t>(row.indices[known - 1]) >= weights.size()) --known;
  return product({row.indices.first(known), row.values.first(known)}, weights);
}

}  // namespace hedgerow::structured
