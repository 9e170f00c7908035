#include "data/svmlight_tk.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace hedgerow {
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
    if (bar != std::string_view::npos && bar > at + 4) return {kind, line.substr(at + 4, bar - at - 4), bar + 1};
  }
  return {};
}

bool looks_like_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  double value;
  const auto parsed = std::from_chars(word.data() + colon + 1, word.data() + word.size(), value);
  return std::all_of(word.begin(), word.begin() + colon, digit) && parsed.ec == std::errc() &&
         parsed.ptr == word.data() + word.size();
}

}  // namespace

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
    at = std::min(end + 1, text.size());
    if (auto error = read_line(line)) {
      undo_line();
      errors.push_back({line_, 1 + count_characters(line.substr(0, error->offset)), error->message});
    }
  }
  return at;
}

std::optional<TextError> SvmlightTkReader::read_line(std::string_view line) {
  if (auto error = check_utf8(line)) return error;
  std::size_t at = skip_space(line, 0);
  if (at == line.size() || line[at] == '#') return std::nullopt;

  const std::size_t label_end = word_end(line, at);
  const std::string_view label = line.substr(at, label_end - at);
  if (label[0] == '|' || label[0] == '(' || looks_like_feature(label))
    return TextError{at, "the label is missing: expected a number or a word before " + quote_at(line, at)};
  at = label_end;

  std::int64_t query = -1;
  std::size_t tree_position = 0, vector_position = 0;
  std::size_t vector = SIZE_MAX;  // the column that features go to; the first one is made when needed
  std::set<std::string_view> names_seen;
  bool in_trees = false, vectors_ended = false;
  for (at = skip_space(line, at); at < line.size(); at = skip_space(line, at)) {
    const Marker marker = marker_at(line, at);
    if (marker.kind == "BT" || marker.kind == "BV") {
      if (!marker.name.empty() && !names_seen.insert(marker.name).second)
        return TextError{at, "the column '" + std::string(marker.name) + "' stands twice on this line"};
    }
    if (marker.kind == "BT") {
      at = marker.end;
      if (auto error = read_tree_column(line, at, tree_column(marker.name, tree_position++))) return error;
      in_trees = true;
    } else if (marker.kind == "ET") {
      if (!in_trees) return TextError{at, "|ET| without |BT|"};
      at = marker.end;
      in_trees = false;
    } else if (in_trees) {
      return TextError{at, "expected |BT| or |ET| after the tree, found " + quote_at(line, at)};
    } else if (marker.kind == "BV") {
      if (marker.name.empty()) {
        if (vector_position == 0) vector_column({}, vector_position);  // what stood before was the first vector
        ++vector_position;
      }
      vector = vector_column(marker.name, vector_position);
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
      if (vectors_ended) return TextError{at, "expected the end of the line after |EV|, found " + quote_at(line, at)};
      if (vector == SIZE_MAX) vector = vector_column({}, 0);
      if (auto error = read_feature(line, at, vector)) return error;
    }
  }
  if (in_trees) return TextError{line.size(), "the trees are not closed: expected |ET|"};

  label_of_row.push_back(labels.intern({label.data(), label.size()}));
  line_of_row.push_back(line_);
  query_of_row.push_back(query);
  for (VectorColumn& column : vectors) {
    auto& begin = column.matrix.row_begin;
    begin.resize(rows(), begin.back());
    begin.push_back(static_cast<std::int64_t>(column.matrix.index.size()));
  }
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_tree_column(std::string_view line, std::size_t& at,
                                                            std::size_t column) {
  ForestBuilder& builder = trees[column].builder;
  builder.pad_with_empty(rows());
  at = skip_space(line, at);
  if (at >= line.size()) return TextError{at, "expected a tree or |ET| after |BT|"};
  if (line[at] != '|' || marker_at(line, at).kind.empty())  // else: an empty tree
    if (auto error = read_tree(line, at, builder, options_.brackets)) return error;
  builder.end_tree();
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_feature(std::string_view line, std::size_t& at, std::size_t column) {
  SparseColumn& matrix = vectors[column].matrix;
  const std::size_t end = word_end(line, at);
  const char* const stop = line.data() + end;
  std::int64_t index = 0;
  const auto [colon, index_error] = std::from_chars(line.data() + at, stop, index);
  if (index_error != std::errc() || colon == stop || *colon != ':')
    return TextError{at, "expected a feature index:value, |BT|, |BV| or #, found " + quote_at(line, at)};
  const std::int64_t lowest = options_.zero_based ? 0 : 1;
  if (index < lowest)
    return TextError{at, "feature index " + std::to_string(index) + ": indices start at " + std::to_string(lowest) +
                             (index == 0 ? " (say zero_based=True when the file counts from 0)" : "")};
  if (index - lowest >= INT32_MAX)
    return TextError{at, "feature index " + std::to_string(index) + " is above 2147483647"};
  const std::int32_t place = static_cast<std::int32_t>(index - lowest);
  const std::size_t first = matrix.row_begin.back();
  if (matrix.index.size() > first && matrix.index.back() >= place)
    return TextError{at, "feature index " + std::to_string(index) + " follows " +
                             std::to_string(matrix.index.back() + lowest) + ": indices must increase"};
  const char* number = colon + 1;
  if (number != stop && *number == '+') ++number;
  double value = 0;
  const auto [value_end, value_error] = std::from_chars(number, stop, value);
  const std::size_t value_at = static_cast<std::size_t>(colon + 1 - line.data());
  if (value_error == std::errc::result_out_of_range || !std::isfinite(value))
    return TextError{value_at, "the value of feature " + std::to_string(index) + " is not finite: " +
                                   quote_at(line, value_at)};
  // A comment may follow without a blank.
  if (value_error != std::errc() || (value_end != stop && *value_end != '#'))
    return TextError{value_at, "expected a number as the value of feature " + std::to_string(index) + ", found " +
                                   quote_at(line, value_at)};
  at = static_cast<std::size_t>(value_end - line.data());
  matrix.index.push_back(place);
  matrix.value.push_back(value);
  matrix.width = std::max<std::int64_t>(matrix.width, place + 1);
  return std::nullopt;
}

std::optional<TextError> SvmlightTkReader::read_query(std::string_view line, std::size_t& at, std::int64_t& query) {
  const std::size_t end = word_end(line, at);
  const auto [stop, error] = std::from_chars(line.data() + at + 4, line.data() + end, query);
  if (error != std::errc() || stop != line.data() + end || query < 0)
    return TextError{at, "expected qid: and a whole number, found " + quote_at(line, at)};
  at = end;
  return std::nullopt;
}

std::size_t SvmlightTkReader::tree_column(std::string_view name, std::size_t position) {
  std::size_t unnamed = 0;
  for (std::size_t i = 0; i < trees.size(); ++i)
    if (name.empty() ? trees[i].name.empty() && unnamed++ == position : trees[i].name == name) return i;
  trees.emplace_back();
  trees.back().name = name;
  return trees.size() - 1;
}

std::size_t SvmlightTkReader::vector_column(std::string_view name, std::size_t position) {
  std::size_t unnamed = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (name.empty() ? vectors[i].name.empty() && unnamed++ == position : vectors[i].name == name) return i;
  vectors.emplace_back();
  vectors.back().name = name;
  vectors.back().matrix.row_begin.resize(rows() + 1, 0);
  return vectors.size() - 1;
}

void SvmlightTkReader::undo_line() {
  for (TreeColumn& column : trees) column.builder.truncate(std::min(column.builder.size(), rows()));
  for (VectorColumn& column : vectors) {
    SparseColumn& matrix = column.matrix;
    matrix.row_begin.resize(rows() + 1, matrix.row_begin.back());
    matrix.index.resize(matrix.row_begin.back());
    matrix.value.resize(matrix.row_begin.back());
  }
}

void SvmlightTkReader::clear_rows() {
  labels = {};
  label_of_row.clear();
  line_of_row.clear();
  query_of_row.clear();
  for (TreeColumn& column : trees) column.builder.truncate(0);
  for (VectorColumn& column : vectors) {
    const std::int64_t width = column.matrix.width;  // columns keep their width over batches
    column.matrix = {};
    column.matrix.width = width;
  }
}

void SvmlightTkReader::fill_columns() {
  for (TreeColumn& column : trees) column.builder.pad_with_empty(rows());
}

}  // namespace hedgerow
