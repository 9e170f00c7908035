// Choices that Python names by words.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/expansion.hpp"
#include "models/fields.hpp"
#include "online/codes.hpp"
#include "online/learner.hpp"
#include "parameters.hpp"
#include "python/arrays.hpp"

namespace hedgerow::python {

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
                                   {"joint", online::Decoding::joint},
                                   {"pairwise", online::Decoding::pairwise},
                                   {"codes", online::Decoding::codes}});
}

inline online::Counting counting_from(const std::string& given) {
  return one_of<online::Counting>(
      "counting", given, {{"examples", online::Counting::examples}, {"correct", online::Counting::correct}});
}

using AveragingName = std::optional<std::string>;

// A whole number, or a real one where it is beyond those of native code.
inline Parameters::Value whole_or_real(const nb::int_& value) {
  int overflow = 0;
  const std::int64_t whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return whole;
  return PyLong_AsDouble(value.ptr());
}

// Parameters of a rule, from a dictionary.
inline std::map<std::string, Parameters::Value> parameters_from(const nb::dict& given) {
  std::map<std::string, Parameters::Value> values;
  for (auto [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none())
      values[name] = std::monostate();
    else if (nb::isinstance<nb::bool_>(value))
      values[name] = nb::cast<bool>(value);
    else if (PyIndex_Check(value.ptr()))  // numpy's whole numbers, too
      values[name] = whole_or_real(nb::int_(value));
    else if (nb::isinstance<nb::str>(value))
      values[name] = nb::cast<std::string>(value);
    else
      values[name] = nb::cast<double>(value);
  }
  return values;
}

// How shards mix each field, by name.
inline nb::dict kinds_of(const std::vector<models::Field>& fields) {
  constexpr const char* words[] = {"mean", "sum", "max", "first"};  // in the order of Mix
  nb::dict kinds;
  for (const models::Field& field : fields) kinds[field.name] = words[static_cast<int>(field.mix)];
  return kinds;
}

using CodeMatrix = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline online::Codes codes_from(const CodeMatrix& codes, const std::string& decoding) {
  return online::Codes(std::vector<std::int8_t>(codes.data(), codes.data() + codes.size()),
                       static_cast<std::int32_t>(codes.shape(0)), decoding_from(decoding));
}

}  // namespace hedgerow::python
