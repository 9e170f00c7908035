// Sequences of symbols in numpy arrays.
#pragma once

#include <stdexcept>

#include "kernels/strings.hpp"
#include "python/arrays.hpp"

namespace hedgerow::python {

inline kernels::Sequences sequences_of(const ArrayIn<std::int32_t>& symbols,
                                       const ArrayIn<std::int64_t>& begin) {
  const kernels::Sequences items{as_span(symbols), as_span(begin)};
  if (items.begin.empty() || items.begin.front() != 0 ||
      items.begin.back() != static_cast<std::int64_t>(items.symbols.size()))
    throw std::invalid_argument("the arrays of the sequences do not fit together");
  for (std::int64_t i = 0; i < items.size(); ++i)
    if (items.length(i) < 0) throw std::invalid_argument("sequences must begin in order");
  for (std::int32_t symbol : items.symbols)
    if (symbol < 0) throw std::invalid_argument("symbols are numbered from 0");
  return items;
}

}  // namespace hedgerow::python
