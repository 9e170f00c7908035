#include "data/svmlight_tk.hpp"

#include <algorithm>
#include <cmath>

#include "platform.hpp"

namespace hedgerow::data {
namespace {

std::size_t word_end(std::string_view line, std::size_t at) {
  while (at < line.size() && !is_space(line[at])) ++at;
  return at;
}

// The marker at `at`: |BT|, |BT:name|, |ET|, |BV|, |BV:name| or |EV|.
struct Marker {
  std::string_view kind;  // BT, ET, BV, EV; empty: no marker
  std::string_view name;
  std::size_t end = 0;
};

Marker marker_at(std::string_view line, std::size_t at) {
  if (at + 4 > line.size() || line[at] != '|') return {};
  const std::string_view kind = line.substr(at + 1, 2);
  const bool begins = kind == "BT" || kind == "BV", ends = kind == "ET" || kind == "EV";
  if (!begins && !ends) return {};
  if (line[at + 3] == '|') return {kind, {}, at + 4};
  if (begins && line[at + 3] == ':') {
    const std::size_t bar = line.find('|', at + 4);
    if (bar != std::string_view::npos && bar > at + 4)
      return {kind, line.substr(at + 4, bar - at - 4), bar + 1};
  }
  return {};
}

bool looks_like_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  double value;
  const auto parsed = read_number(word.data() + colon + 1, word.data() + word.size(), value);
  return std::all_of(word.begin(), word.begin() + colon, digit) && parsed.ec == std::errc() &&
         parsed.ptr == word.data() + word.size();
}

// Whether a whole number (of 64 bits) and a colon stand at `at`.
bool starts_feature(std::string_view line, std::size_t at) {
  std::int64_t index;
  const auto [end, error] = read_number(line.data() + at, line.data() + line.size(), index);
  return error == std::errc() && end != line.data() + line.size() && *end == ':';
}

std::string default_name(std::string_view kind, std::size_t position) {
  return std::string(kind) + (position == 0 ? "" : "_" + std::to_string(position + 1));
}

template <typename Number>
bool parses_as(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         std::isfinite(static_cast<double>(number));
}

}  // namespace

bool is_label_of_kind(std::string_view label, LabelKind kind) {
  return kind == LabelKind::any ||
         (kind == LabelKind::whole ? parses_as<std::int64_t>(label) : parses_as<double>(label));
}

void scan_labels(std::string_view text, SequenceTable<char>& labels) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t label = skip_space(line, 0);
    if (label == line.size() || line[label] == '#') continue;
    labels.intern({line.data() + label, word_end(line, label) - label});
  }
}

std::size_t SvmlightTkReader::read(std::string_view text, std::size_t at, std::int64_t max_rows, bool last) {
  while (at < text.size() && rows() < max_rows && !stopped()) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      if (!last) break;
      end = text.size();
    }
    ++line_;
    std::string_view line = text.substr(at, end - at);
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at = std::min(end + 1, text.size());
    if (end + PlainFeatures::slack <= text.size() && read_plain_line(line)) continue;
    const std::size_t columns_before = columns.size();
    if (auto error = read_line(line)) {
      undo_line(columns_before);
      errors.push_back({line_, 1 + count_characters(line.substr(0, error->offset)), error->message});
    }
  }
  return at;
}

bool SvmlightTkReader::read_plain_line(std::string_view line) {
  const auto in_label = [](char c) { return c > ' ' && c < 0x7F && c != ':'; };
  const std::size_t start = skip_space(line, 0);
  std::size_t end = start;
  while (end < line.size() && in_label(line[end])) ++end;
  if (end == start || (end < line.size() && !is_space(line[end]))) return false;
  const std::string_view label = line.substr(start, end - start), rest = line.substr(end);
  if (label[0] == '#' || label[0] == '|' || label[0] == '(' || !is_label_of_kind(label, label_kind_))
    return false;
  const std::size_t stop = plain_.read(rest, options_.zero_based ? 0 : 1, options_.n_features);
  if (stop == PlainFeatures::npos) return false;
  if (stop < rest.size() && check_utf8(rest.substr(stop))) return false;  // the comment
  if (plain_.size() > 0) {
    opened_.clear();
    std::size_t column = 0;
    if (open_column("vector", false, end, column)) return false;
    SparseColumn& matrix = columns[column].vectors;
    if (matrix.index.empty()) {  // to grow step by step would touch much memory twice
      matrix.index.reserve(matrix.expected);
      matrix.value.reserve(matrix.expected);
    }
    matrix.index.insert(matrix.index.end(), plain_.index(), plain_.index() + plain_.size());
    matrix.value.insert(matrix.value.end(), plain_.value(), plain_.value() + plain_.size());
  }
  end_row(label, -1);
  return true;
}

std::optional<TextError> SvmlightTkReader::read_line(std::string_view line) {
  if (auto error = check_utf8(line)) return error;
  std::size_t at = skip_space(line, 0);
  if (at == line.size() || line[at] == '#') return std::nullopt;
  const std::size_t label = at;
  if (auto error = read_label(line, at)) return error;
  const std::size_t label_end = at;
  std::int64_t query = -1;
  if (auto error = read_columns(line, at, query)) return error;
  end_row(line.substr(label, label_end - label), query);
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_label(std::string_view line, std::size_t& at) {
  const std::size_t end = word_end(line, at);
  const std::string_view label = line.substr(at, end - at);
  if (label[0] == '|' || label[0] == '(' || label.starts_with("qid:") || looks_like_feature(label))
    return TextError{at, "the label is missing: expected a number or a word before " + quote_at(line, at)};
  if (!is_label_of_kind(label, label_kind_))
    return TextError{at, "the label " + quote_at(line, at) + " is not a " +
                             (label_kind_ == LabelKind::whole ? "whole number" : "number") + label_hint_};
  at = end;
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_columns(std::string_view line, std::size_t& at,
                                                        std::int64_t& query) {
  constexpr std::size_t none = SIZE_MAX;
  std::size_t nameless_trees = 0, nameless_vectors = 0;
  std::size_t column = none;  // the one that features go to
  bool in_trees = false, vectors_ended = false;
  opened_.clear();
  for (at = skip_space(line, at); at < line.size(); at = skip_space(line, at)) {
    const Marker marker = marker_at(line, at);
    if (marker.kind == "BT") {
      const std::string name =
          marker.name.empty() ? default_name("tree", nameless_trees++) : std::string(marker.name);
      std::size_t tree = none;
      if (auto error = open_column(name, true, at, tree)) return error;
      at = marker.end;
      if (auto error = read_tree_of(columns[tree], line, at)) return error;
      in_trees = true;
    } else if (marker.kind == "ET") {
      if (!in_trees) return TextError{at, "|ET| without |BT|"};
      at = marker.end;
      in_trees = false;
    } else if (in_trees) {
      return TextError{at, "expected |BT| or |ET| after the tree, found " + quote_at(line, at)};
    } else if (marker.kind == "BV") {
      if (marker.name.empty() &&
          nameless_vectors == 0)  // |BV| ends the first vector, even one without features
        if (auto error = open_column(default_name("vector", nameless_vectors++), false, at, column))
          return error;
      const std::string name =
          marker.name.empty() ? default_name("vector", nameless_vectors++) : std::string(marker.name);
      if (auto error = open_column(name, false, at, column)) return error;
      at = marker.end;
      vectors_ended = false;
    } else if (marker.kind == "EV") {
      at = marker.end;
      vectors_ended = true;
    } else if (line[at] == '#') {
      break;
    } else if (line.substr(at).starts_with("qid:")) {
      if (auto error = read_query(line, at, query)) return error;
    } else {
      if (vectors_ended)
        return TextError{at, "expected the end of the line after |EV|, found " + quote_at(line, at)};
      if (!starts_feature(line, at))
        return TextError{at, "expected a feature index:value, |BT|, |BV| or #, found " + quote_at(line, at)};
      if (column == none)
        if (auto error = open_column(default_name("vector", nameless_vectors++), false, at, column))
          return error;
      if (auto error = read_feature_of(columns[column], line, at)) return error;
    }
  }
  if (in_trees) return TextError{line.size(), "the trees are not closed: expected |ET|"};
  return std::nullopt;
}

void SvmlightTkReader::declare_column(std::string_view name, bool holds_trees) {
  columns.push_back({std::string(name), holds_trees});
  columns.back().vectors.row_begin.resize(rows() + 1, 0);
}

std::optional<TextError> SvmlightTkReader::open_column(std::string_view name, bool holds_trees,
                                                       std::size_t at, std::size_t& column) {
  const auto quoted = [&] { return "'" + std::string(name) + "'"; };
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& known) { return known.name == name; });
  column = static_cast<std::size_t>(found - columns.begin());
  if (std::find(opened_.begin(), opened_.end(), column) != opened_.end())
    return TextError{at, "the column " + quoted() + " stands twice on this line"};
  if (found == columns.end()) {
    if (column_hint_) return TextError{at, "the column " + quoted() + " is not known" + *column_hint_};
    declare_column(name, holds_trees);
  } else if (found->holds_trees != holds_trees) {
    return TextError{at,
                     "the column " + quoted() +
                         (holds_trees ? " holds vectors, here is a tree" : " holds trees, here is a vector")};
  }
  opened_.push_back(column);
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_tree_of(Column& column, std::string_view line,
                                                        std::size_t& at) {
  column.trees.pad_with_empty(rows());
  at = skip_space(line, at);
  if (at >= line.size()) return TextError{at, "expected a tree or |ET| after |BT|"};
  if (line[at] != '|' || marker_at(line, at).kind.empty())  // else: an empty tree
    if (auto error = read_tree(line, at, column.trees, options_.brackets)) return error;
  column.trees.end_tree();
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_feature_of(Column& column, std::string_view line,
                                                           std::size_t& at) {
  SparseColumn& matrix = column.vectors;
  const std::size_t end = word_end(line, at);
  const char* const stop = line.data() + end;
  std::int64_t index = 0;
  const char* const colon = read_number(line.data() + at, stop, index).ptr;
  const std::int64_t lowest = options_.zero_based ? 0 : 1;
  if (index < lowest)
    return TextError{at, "feature index " + std::to_string(index) + ": indices start at " +
                             std::to_string(lowest) +
                             (index == 0 ? " (say zero_based=True when the file counts from 0)" : "")};
  if (index - lowest >= INT32_MAX)
    return TextError{at, "feature index " + std::to_string(index) + " is above 2147483647"};
  if (index - lowest >= options_.n_features)
    return TextError{at, "feature index " + std::to_string(index) + " is beyond the " +
                             std::to_string(options_.n_features) + " features asked for"};
  const std::int32_t place = static_cast<std::int32_t>(index - lowest);
  const std::size_t first = matrix.row_begin.back();
  if (matrix.index.size() > first && matrix.index.back() >= place)
    return TextError{at, "feature index " + std::to_string(index) + " follows " +
                             std::to_string(matrix.index.back() + lowest) + ": indices must increase"};
  const char* number = colon + 1;
  if (number != stop && *number == '+') ++number;
  double value = 0;
  const auto [value_end, value_error] = read_number(number, stop, value);
  const std::size_t value_at = static_cast<std::size_t>(colon + 1 - line.data());
  if (value_error == std::errc::result_out_of_range)
    return TextError{value_at, "the value of feature " + std::to_string(index) +
                                   " is out of range: " + quote_at(line, value_at)};
  if (!std::isfinite(value))
    return TextError{value_at, "the value of feature " + std::to_string(index) +
                                   " is not finite: " + quote_at(line, value_at)};
  // A comment may follow without a blank.
  if (value_error != std::errc() || (value_end != stop && *value_end != '#'))
    return TextError{value_at, "expected a number as the value of feature " + std::to_string(index) +
                                   ", found " + quote_at(line, value_at)};
  at = static_cast<std::size_t>(value_end - line.data());
  matrix.index.push_back(place);
  matrix.value.push_back(value);
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_query(std::string_view line, std::size_t& at,
                                                      std::int64_t& query) {
  const std::size_t end = word_end(line, at);
  const auto [stop, error] = read_number(line.data() + at + 4, line.data() + end, query);
  if (error != std::errc() || stop != line.data() + end || query < 0)
    return TextError{at, "expected qid: and a whole number, found " + quote_at(line, at)};
  at = end;
  return std::nullopt;
}

void SvmlightTkReader::end_row(std::string_view label, std::int64_t query) {
  label_of_row.push_back(labels.intern({label.data(), label.size()}));
  line_of_row.push_back(line_);
  query_of_row.push_back(query);
  for (Column& column : columns) {
    if (column.holds_trees) continue;
    SparseColumn& matrix = column.vectors;
    const std::int64_t end = static_cast<std::int64_t>(matrix.index.size());
    if (end > matrix.row_begin.back())
      matrix.width = std::max<std::int64_t>(matrix.width, std::int64_t{matrix.index.back()} + 1);
    matrix.row_begin.push_back(end);
  }
}

void SvmlightTkReader::undo_line(std::size_t columns_before) {
  columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(columns_before), columns.end());
  for (Column& column : columns) {
    column.trees.truncate(std::min(column.trees.size(), rows()));
    column.vectors.index.resize(column.vectors.row_begin.back());
    column.vectors.value.resize(column.vectors.row_begin.back());
  }
}

void SvmlightTkReader::clear_rows() {
  labels = {};
  label_of_row.clear();
  line_of_row.clear();
  query_of_row.clear();
  for (Column& column : columns) {
    column.trees.truncate(0);
    SparseColumn next;
    next.width = column.vectors.width;  // columns keep their width over batches
    next.expected = column.vectors.expected;
    column.vectors = std::move(next);
  }
}

void SvmlightTkReader::fill_columns() {
  for (Column& column : columns) {
    if (column.holds_trees) column.trees.pad_with_empty(rows());
    column.vectors.expected = column.vectors.index.size() + column.vectors.index.size() / 8;
  }
}

}  // namespace hedgerow::data
