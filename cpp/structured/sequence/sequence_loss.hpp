// What a wrong label sequence costs.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace hedgerow::structured::sequence {

inline constexpr std::int32_t no_label_before = -1;  // what stands before the first label and after the last

struct SequenceLoss {
  enum class Kind : std::uint8_t {
    hamming,   // the number of wrong labels
    mean,      // their share
    zero_one,  // 1 for any fault
    table,     // the sum of what each wrong label costs
    spans,     // the number of spans that are marked by one of two outputs only
    span_f1,   // 1 - F1 of spans
  };
  enum class Prefix : std::int32_t { outside, begin, inside, end, single };
  Kind kind = Kind::hamming;
  std::int32_t labels = 1;
  std::vector<double> table{};  // true label x label
  // Of every label, where spans count.
  std::vector<Prefix> prefixes{};
  std::vector<std::int32_t> types{};

  void check() const {
    if (kind == Kind::table && static_cast<std::int64_t>(table.size()) != std::int64_t{labels} * labels)
      throw std::invalid_argument("the table must be a matrix of labels by labels");
    if (by_spans() &&
        (prefixes.size() != static_cast<std::size_t>(labels) || types.size() != prefixes.size()))
      throw std::invalid_argument("every label must have a prefix and a type");
  }
  bool by_spans() const { return kind == Kind::spans || kind == Kind::span_f1; }
  // Whether the loss depends on nothing but the number of wrong labels.
  bool counts() const { return kind != Kind::table && !by_spans(); }

  // Whether a span begins with label b behind a, and whether the span that a is in ends before b.
  bool begins(std::int32_t a, std::int32_t b) const {
    using enum Prefix;
    if (prefixes[b] == outside) return false;
    if (prefixes[b] == begin || prefixes[b] == single || a == no_label_before) return true;
    return prefixes[a] == outside || prefixes[a] == end || prefixes[a] == single || types[a] != types[b];
  }
  bool closes(std::int32_t a, std::int32_t b) const {
    if (a == no_label_before || prefixes[a] == Prefix::outside) return false;
    return b == no_label_before || prefixes[b] == Prefix::outside || begins(a, b);
  }
  double of_spans(std::int32_t truth, std::int32_t predicted, std::int32_t matched) const {
    const std::int32_t both = truth + predicted;
    if (kind == Kind::spans) return both - 2.0 * matched;
    return both == 0 ? 0.0 : 1 - 2.0 * matched / both;
  }
  double of_count(std::int64_t wrong, std::int64_t length) const {
    if (wrong == 0) return 0;
    if (kind == Kind::zero_one) return 1;
    return kind == Kind::mean ? static_cast<double>(wrong) / static_cast<double>(length)
                              : static_cast<double>(wrong);
  }
  // Of one label in a sequence; the loss of the sequence is their sum, but for zero_one.
  double of_label(std::int32_t truth, std::int32_t label, std::int64_t length) const {
    if (kind == Kind::table) return table[truth * labels + label];
    return of_count(truth != label, length);
  }
  double of(std::span<const std::int32_t> truth, std::span<const std::int32_t> y) const {
    if (by_spans()) return loss_of_spans(truth, y);
    const auto length = static_cast<std::int64_t>(truth.size());
    std::int64_t wrong = 0;
    double sum = 0;
    for (std::int64_t t = 0; t < length; ++t) {
      wrong += truth[t] != y[t];
      if (kind == Kind::table) sum += of_label(truth[t], y[t], length);
    }
    return counts() ? of_count(wrong, length) : sum;
  }

 private:
  double loss_of_spans(std::span<const std::int32_t> truth, std::span<const std::int32_t> y) const;
};

// Where the spans of true labels begin and end.
struct TrueSpans {
  std::int32_t size = 0;
  std::vector<std::int32_t> begins;  // the type of the span that begins at a token, or -1
  std::vector<bool> ends;            // whether one ends with a token

  void assign(const SequenceLoss& loss, std::span<const std::int32_t> labels) {
    const std::size_t length = labels.size();
    size = 0;
    begins.assign(length, -1);
    ends.assign(length, false);
    for (std::size_t t = 0; t < length; ++t) {
      const std::int32_t before = t ? labels[t - 1] : no_label_before;
      if (loss.begins(before, labels[t])) {
        begins[t] = loss.types[labels[t]];
        ++size;
      }
      ends[t] = loss.closes(labels[t], t + 1 < length ? labels[t + 1] : no_label_before);
    }
  }
};

inline double SequenceLoss::loss_of_spans(std::span<const std::int32_t> truth,
                                          std::span<const std::int32_t> y) const {
  TrueSpans wanted, found;
  wanted.assign(*this, truth);
  found.assign(*this, y);
  std::int32_t matched = 0;
  bool on_track = false;  // whether spans of both under way began at one token, with one type
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (wanted.begins[t] >= 0 || found.begins[t] >= 0) on_track = wanted.begins[t] == found.begins[t];
    if (on_track && wanted.ends[t] && found.ends[t]) ++matched;
    if (wanted.ends[t] || found.ends[t]) on_track = false;
  }
  return of_spans(wanted.size, found.size, matched);
}

}  // namespace hedgerow::structured::sequence
