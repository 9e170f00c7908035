// Reader of SVM-light and SVM-light-TK data lines:
//
//   LABEL |BT| tree |BT| tree ... |ET| i:v i:v |BV| i:v ... |EV|   # comment
//
// Features may also stand before the first tree. KeLP's named columns, |BT:name| ... |ET| and |BV:name| ...
// |EV|, are read too; the trees and vectors without a name are called tree, tree_2, ... and vector, vector_2,
// ... by their place on the line. Lines come in pieces of text, so that a file need not fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/brackets.hpp"
#include "data/plain_features.hpp"

namespace hedgerow::data {

enum class LabelKind { any, whole, number };

struct SvmlightTkOptions {
  BracketOptions brackets;
  bool zero_based = false;              // feature indices start at 0 instead of 1
  bool collect = false;                 // leave bad lines out and go on, instead of stopping at the first
  std::int64_t n_features = INT32_MAX;  // more is an error
};

struct SparseColumn {
  std::vector<std::int64_t> row_begin{0};
  std::vector<std::int32_t> index;  // from 0
  std::vector<double> value;
  std::int64_t width = 0;    // highest index plus one
  std::size_t expected = 0;  // entries: as many as the batch before had
};

// Holds trees or vectors.
struct Column {
  std::string name;
  bool holds_trees;
  ForestBuilder trees{};
  SparseColumn vectors{};
};

class SvmlightTkReader {
 public:
  explicit SvmlightTkReader(SvmlightTkOptions options) : options_(options) {}

  // Makes a column before any line shows it.
  void declare_column(std::string_view name, bool holds_trees);

  // From here on a line with another column, or with a label of another kind, is an error; the hint, which
  // ends its message, says why.
  void fix_columns(std::string hint) { column_hint_ = std::move(hint); }
  void fix_labels(LabelKind kind, std::string hint) { label_kind_ = kind, label_hint_ = std::move(hint); }

  // Reads lines of `text` from `at` on until `max_rows` examples are held, an error stops it, or no complete
  // line is left (`last`: the text's end ends a line). Returns the place behind the last line read.
  std::size_t read(std::string_view text, std::size_t at, std::int64_t max_rows, bool last);

  std::int64_t rows() const { return static_cast<std::int64_t>(label_of_row.size()); }
  bool stopped() const { return !errors.empty() && !options_.collect; }
  // Forgets the examples held, but keeps the columns (which stay the same over all batches) and line numbers.
  void clear_rows();
  // Gives every column as many rows as there are examples. Called before the columns are taken.
  void fill_columns();

  SequenceTable<char> labels;
  std::vector<std::int32_t> label_of_row;
  std::vector<std::int64_t> line_of_row;
  std::vector<std::int64_t> query_of_row;  // SVM-light's qid, -1 where a line has none
  std::vector<Column> columns;             // in the order in which the text first shows them
  std::vector<LineError> errors;

 private:
  // Reads a line that is just a label and features, as fast as can be; false: nothing was read. The line's
  // end and PlainFeatures::slack bytes from there on must be readable.
  bool read_plain_line(std::string_view line);
  std::optional<TextError> read_line(std::string_view line);
  std::optional<TextError> read_label(std::string_view line, std::size_t& at);
  std::optional<TextError> read_columns(std::string_view line, std::size_t& at, std::int64_t& query);
  std::optional<TextError> read_tree_of(Column& column, std::string_view line, std::size_t& at);
  std::optional<TextError> read_feature_of(Column& column, std::string_view line, std::size_t& at);
  std::optional<TextError> read_query(std::string_view line, std::size_t& at, std::int64_t& query);
  // Sets `column` to the one of that name, made when it is new; an error when this line had it already.
  std::optional<TextError> open_column(std::string_view name, bool holds_trees, std::size_t at,
                                       std::size_t& column);
  void end_row(std::string_view label, std::int64_t query);
  void undo_line(std::size_t columns_before);

  SvmlightTkOptions options_;
  std::int64_t line_ = 0;
  std::optional<std::string> column_hint_;  // set: the columns are fixed
  LabelKind label_kind_ = LabelKind::any;
  std::string label_hint_;
  std::vector<std::size_t> opened_;  // columns that the line has shown
  PlainFeatures plain_;
};

// Adds the labels of all lines, without a look at what follows them.
void scan_labels(std::string_view text, SequenceTable<char>& labels);

// Whether the whole text is a decimal number, finite and (whole) an integer of 64 bits.
bool is_label_of_kind(std::string_view label, LabelKind kind);

}  // namespace hedgerow::data
