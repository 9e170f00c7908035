#include "python/bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Native core of hedgerow. Private: use the names that the package exports.";
  register_features(m);
  register_forest(m);
  register_strings(m);
  register_text(m);
  register_trees(m);
  register_vectors(m);
}
