// Choices that Python names by words.
#pragma once

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "linear/losses.hpp"
#include "models/expansion.hpp"
#include "online/codes.hpp"
#include "python/arrays.hpp"

namespace hedgerow::python {

template <class Value>
Value one_of(const std::string& name, const std::string& given,
             std::initializer_list<std::pair<const char*, Value>> known) {
  std::string names;
  for (const auto& [text, value] : known) {
    if (given == text) return value;
    names += (names.empty() ? "" : ", ") + std::string(text);
  }
  throw std::invalid_argument(name + " must be one of " + names + "; got " + given);
}

inline models::Averaging averaging_from(const std::optional<std::string>& given) {
  if (!given) return models::Averaging::none;
  return one_of<models::Averaging>("averaging", *given,
                                   {{"average", models::Averaging::average},
                                    {"normalized", models::Averaging::normalized},
                                    {"vote", models::Averaging::vote}});
}

inline online::Decoding decoding_from(const std::string& given) {
  return one_of<online::Decoding>("decoding", given,
                                  {{"binary", online::Decoding::binary},
                                   {"direct", online::Decoding::direct},
                                   {"pairwise", online::Decoding::pairwise},
                                   {"codes", online::Decoding::codes}});
}

inline linear::Loss loss_from(const std::string& given) {
  return one_of<linear::Loss>("loss", given,
                              {{"hinge", linear::Loss::hinge},
                               {"logistic", linear::Loss::logistic},
                               {"exponential", linear::Loss::exponential}});
}

using CodeMatrix = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline online::Codes codes_from(const CodeMatrix& codes, const std::string& decoding) {
  return online::Codes(std::vector<std::int8_t>(codes.data(), codes.data() + codes.size()),
                       static_cast<std::int32_t>(codes.shape(0)), decoding_from(decoding));
}

}  // namespace hedgerow::python
