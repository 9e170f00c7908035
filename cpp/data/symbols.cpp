#include "data/symbols.hpp"

namespace hedgerow::data {

SymbolMap merge_symbols(const Symbols& source, Symbols& target) {
  SymbolMap map;
  map.label.reserve(source.labels.size());
  for (std::int32_t id = 0; id < source.labels.size(); ++id)
    map.label.push_back(target.labels.intern(source.labels[id]));
  map.production.reserve(source.productions.size());
  std::vector<std::int32_t> key;
  for (std::int32_t id = 0; id < source.productions.size(); ++id) {
    key.clear();
    for (std::int32_t label : source.productions[id]) key.push_back(map.label[label]);
    map.production.push_back(target.productions.intern(key));
  }
  return map;
}

}  // namespace hedgerow::data
