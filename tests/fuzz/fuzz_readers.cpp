// Feeds arbitrary bytes to every reader of text and checks what must hold whatever they are.
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "check_forest.hpp"
#include "data/svmlight_tk.hpp"

using namespace hedgerow;
using namespace hedgerow::fuzz;

namespace {

bool same(const std::vector<data::LineError>& a, const std::vector<data::LineError>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const data::LineError& x, const data::LineError& y) {
                      return x.line == y.line && x.column == y.column && x.message == y.message;
                    });
}

void check_errors(const std::vector<data::LineError>& errors, std::string_view text, bool collect) {
  const std::int64_t lines = 1 + std::count(text.begin(), text.end(), '\n');
  require(collect || errors.size() <= 1, "reading stops at the first error");
  std::int64_t before = 0;
  for (const data::LineError& error : errors) {
    require(error.line >= 1 && error.line <= lines, "an error names a line of the text");
    require(error.line >= before, "errors come in the order of the text");
    require(error.column >= 1 && error.column <= static_cast<std::int64_t>(text.size()) + 1,
            "an error names a column of the text");
    require(!error.message.empty() && !data::check_utf8(error.message), "an error has a message in UTF-8");
    before = error.line;
  }
}

// The results of stopping at the first error and of collecting all errors agree up to that error.
void check_agreement(const data::BracketText& stopping, const data::BracketText& collecting) {
  require(stopping.errors.empty() == collecting.errors.empty(),
          "both ways of reading find an error, or none");
  if (stopping.errors.empty()) {
    require(stopping.forest == collecting.forest, "without errors both ways of reading give the same");
    return;
  }
  require(same(stopping.errors, {collecting.errors.front()}),
          "both ways of reading find the same first error");
  require(stopping.forest.size() <= collecting.forest.size(), "collecting loses no tree");
  std::vector<std::int64_t> first(stopping.forest.size());
  for (std::size_t t = 0; t < first.size(); ++t) first[t] = static_cast<std::int64_t>(t);
  require(data::select(collecting.forest, first) == stopping.forest,
          "trees before the first error are the same");
}

template <class Read>
void check_bracket_reader(std::string_view text, data::BracketOptions options, Read&& read) {
  const data::BracketText stopping = read(false), collecting = read(true);
  for (const data::BracketText* result : {&stopping, &collecting}) check_arrays(result->forest);
  check_errors(stopping.errors, text, false);
  check_errors(collecting.errors, text, true);
  check_agreement(stopping, collecting);
  check_copies(collecting.forest, options);
}

void check_only_tree(std::string_view text, data::BracketOptions options) {
  data::ForestBuilder builder;
  const auto error = data::read_only_tree(text, builder, options);
  if (error) {
    require(error->offset <= text.size(), "an error lies within the text");
    require(!data::check_utf8(error->message), "an error's message is UTF-8");
    builder.abandon_tree();
  } else {
    builder.end_tree();
  }
  const data::Forest only = builder.finish();
  require(only.size() == (error ? 0 : 1), "one tree, or none and an error");
  check_arrays(only);
  check_copies(only, options);
}

// All that a reader of SVM-light-TK lines held, batch after batch.
struct Examples {
  std::vector<std::string> labels;
  std::vector<std::int64_t> lines, queries;
  std::vector<std::string> columns;
  // One each a column, of which one is used.
  std::vector<data::Forest> trees;
  std::vector<data::SparseColumn> vectors;
};

data::Forest empty_trees(std::size_t count) {
  data::ForestBuilder builder;
  builder.pad_with_empty(static_cast<std::int64_t>(count));
  return builder.finish();
}

void check_vectors(const data::SparseColumn& column, std::size_t rows) {
  require(column.row_begin.size() == rows + 1, "a vector column has one row an example");
  require(column.index.size() == column.value.size(), "every feature has a value");
  require(column.row_begin.back() == static_cast<std::int64_t>(column.index.size()),
          "rows span all features");
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = column.index.begin() + column.row_begin[row];
    const auto last = column.index.begin() + column.row_begin[row + 1];
    require(first <= last, "rows follow each other");
    require(std::adjacent_find(first, last, std::greater_equal<>()) == last, "feature indices increase");
    require(first == last || (*first >= 0 && *(last - 1) < column.width), "indices lie within the width");
  }
}

// Moves the reader's rows to the end of the examples.
void take(data::SvmlightTkReader& reader, Examples& all) {
  const std::size_t before = all.labels.size();
  const auto rows = static_cast<std::size_t>(reader.rows());
  reader.fill_columns();
  require(reader.line_of_row.size() == rows && reader.query_of_row.size() == rows, "one entry a row");
  for (std::int32_t id : reader.label_of_row) {
    const auto label = reader.labels[id];
    all.labels.emplace_back(label.begin(), label.end());
  }
  all.lines.insert(all.lines.end(), reader.line_of_row.begin(), reader.line_of_row.end());
  all.queries.insert(all.queries.end(), reader.query_of_row.begin(), reader.query_of_row.end());

  all.columns.resize(reader.columns.size());
  all.trees.resize(reader.columns.size());
  all.vectors.resize(reader.columns.size());
  for (std::size_t c = 0; c < reader.columns.size(); ++c) {
    data::Column& column = reader.columns[c];
    all.columns[c] = column.name;
    if (column.holds_trees) {
      const data::Forest batch = column.trees.finish();
      require(batch.size() == static_cast<std::int64_t>(rows), "a tree column has one tree a row");
      check_arrays(batch);
      const data::Forest missing = empty_trees(before - static_cast<std::size_t>(all.trees[c].size()));
      const data::Forest* const parts[] = {&all.trees[c], &missing, &batch};
      all.trees[c] = data::concatenate(parts);
    } else {
      const data::SparseColumn& from = column.vectors;
      check_vectors(from, rows);
      data::SparseColumn& to = all.vectors[c];
      to.row_begin.resize(before + 1, to.row_begin.back());
      const auto base = static_cast<std::int64_t>(to.index.size());
      for (std::size_t row = 1; row <= rows; ++row) to.row_begin.push_back(base + from.row_begin[row]);
      to.index.insert(to.index.end(), from.index.begin(), from.index.end());
      to.value.insert(to.value.end(), from.value.begin(), from.value.end());
      to.width = from.width;
    }
  }
  reader.clear_rows();
}

// `way` says how `b` was read.
void require_same(const Examples& a, const Examples& b, const char* way) {
  require(a.labels == b.labels && a.lines == b.lines && a.queries == b.queries, "the same rows", way);
  require(a.columns == b.columns, "the same columns", way);
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    require(a.trees[c] == b.trees[c], "the same trees", way);
    const data::SparseColumn &x = a.vectors[c], &y = b.vectors[c];
    require(x.row_begin == y.row_begin && x.index == y.index && x.value == y.value, "the same vectors", way);
    require(x.width == y.width, "the same width", way);
  }
}

// The text with a comment in the place of every line that has an error.
std::string without_bad_lines(std::string_view text, const std::vector<data::LineError>& errors) {
  std::string good;
  auto bad = errors.begin();
  for (std::int64_t line = 1; !text.empty(); ++line) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    if (bad != errors.end() && bad->line == line) {
      good += "#\n";
      ++bad;
    } else {
      good += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return good;
}

// How lines may be read a second time, with the same result.
enum class Again { without_bad_lines, in_pieces, line_by_line, in_batches };

void read_in_pieces(data::SvmlightTkReader& reader, std::string_view text, std::size_t cut) {
  // The unfinished line of the first piece is carried over to the second.
  const std::size_t done = reader.read(text.substr(0, cut), 0, INT64_MAX, false);
  require(done <= cut, "reading ends within the piece");
  reader.read(text.substr(done), 0, INT64_MAX, true);
}

void read_line_by_line(data::SvmlightTkReader& reader, std::string_view text) {
  // None of them has bytes behind it, as the fast way of reading needs them.
  while (!text.empty() && !reader.stopped()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    reader.read(text.substr(0, length), 0, INT64_MAX, true);
    text.remove_prefix(length);
  }
}

void read_in_batches(data::SvmlightTkReader& reader, std::string_view text, Examples& examples) {
  for (std::size_t at = 0; at < text.size() && !reader.stopped();) {
    const std::size_t next = reader.read(text, at, 2, true);
    require(next > at, "a batch moves on");
    require(reader.rows() <= 2, "a batch holds no more rows than asked for");
    at = next;
    take(reader, examples);
  }
}

void check_svmlight_tk(std::string_view text, data::SvmlightTkOptions options, Again again, std::size_t cut) {
  data::SvmlightTkReader reader(options);
  const std::size_t end = reader.read(text, 0, INT64_MAX, true);
  require(end <= text.size(), "reading ends within the text");
  require(reader.stopped() || end == text.size(), "reading goes to the end");
  check_errors(reader.errors, text, options.collect);
  Examples whole;
  take(reader, whole);
  for (const data::Forest& forest : whole.trees) check_copies(forest, options.brackets);

  data::SvmlightTkReader other(options);
  Examples same_again;
  if (again == Again::without_bad_lines) {
    if (!options.collect) return;
    const std::string good_lines = without_bad_lines(text, reader.errors);
    other.read(good_lines, 0, INT64_MAX, true);
    require(other.errors.empty(), "good lines are good without the bad ones");
    take(other, same_again);
    require_same(whole, same_again, "without the bad lines");
    return;
  }
  if (again == Again::in_pieces) read_in_pieces(other, text, cut);
  if (again == Again::line_by_line) read_line_by_line(other, text);
  if (again == Again::in_batches) read_in_batches(other, text, same_again);
  take(other, same_again);
  require(same(other.errors, reader.errors), "the same errors");
  require_same(whole, same_again, "read again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // All readers and settings at once would be slow; the text itself decides how it is read.
  std::size_t choice = std::hash<std::string_view>()(text);
  const auto one_of = [&](std::size_t n) {
    const std::size_t one = choice % n;
    choice /= n;
    return one;
  };
  const data::BracketOptions brackets{one_of(2) != 0};
  const std::size_t reader = one_of(10);
  const auto check = [&](auto&& read) { check_bracket_reader(text, brackets, read); };
  if (reader == 0) {
    check_only_tree(text, brackets);
  } else if (reader <= 2) {
    const auto layout = reader == 1 ? data::Layout::lines : data::Layout::free;
    check([&](bool collect) { return data::read_bracket_text(text, layout, collect, brackets); });
  } else if (reader <= 5) {
    const auto field = static_cast<std::int64_t>(reader) - 3;
    check([&](bool collect) { return data::read_bracket_field(text, field, collect, brackets); });
  } else {
    const data::SvmlightTkOptions options{brackets, one_of(2) != 0, one_of(2) != 0};
    check_svmlight_tk(text, options, static_cast<Again>(reader - 6), one_of(text.size() + 1));
  }
  return 0;
}
