#include "data/brackets.hpp"

#include <algorithm>

#include "limits.hpp"

namespace hedgerow::data {
namespace {

std::string missing_brackets(std::size_t depth) {
  return "the tree is not closed: " + std::to_string(depth) +
         (depth == 1 ? " ')' is missing" : " ')' are missing");
}

// An error when the tree that starts at `start` and just got a node, so deep, has become too large.
std::optional<TextError> check_limits(const ForestBuilder& builder, std::size_t depth, std::size_t start) {
  if (builder.nodes() > limits.nodes)
    return TextError{start, beyond_limit("the tree has " + std::to_string(builder.nodes()) + " nodes or more",
                                         "nodes", limits.nodes)};
  if (static_cast<std::int64_t>(depth) > limits.depth)
    return TextError{start, beyond_limit("the tree has a depth of " + std::to_string(depth) + " or more",
                                         "depth", limits.depth)};
  return std::nullopt;
}

}  // namespace

std::optional<TextError> read_tree(std::string_view text, std::size_t& at, ForestBuilder& builder,
                                   BracketOptions options) {
  const std::size_t start = at;
  if (at >= text.size() || text[at] != '(') return TextError{at, "expected '(', found " + quote_at(text, at)};
  bool wrapped = false;  // inside the Penn Treebank's unlabelled outer bracket
  for (;;) {
    at = skip_space(text, at);
    if (at >= text.size()) return TextError{start, missing_brackets(builder.depth() + wrapped)};
    if (text[at] == '(') {
      if (wrapped && builder.depth() == 0 && builder.children_of_open_node() > 0)
        return TextError{at, "an unlabelled outer bracket holds one tree, here is a second one"};
      const std::size_t label = skip_space(text, at + 1);
      const std::size_t end = token_end(text, label);
      if (label == end) {
        if (label >= text.size()) {
          at = text.size();
          return TextError{start, missing_brackets(builder.depth() + wrapped + 1)};
        }
        const bool outermost = builder.depth() == 0 && !wrapped;
        if (!outermost || text[label] == ')')
          return TextError{label, outermost ? "the tree is empty: expected a label after '('"
                                            : "the label is empty: expected a label after '(', found " +
                                                  quote_at(text, label)};
        wrapped = true;
        at = label;
        continue;
      }
      builder.open(text.substr(label, end - label));
      at = end;
      if (auto error = check_limits(builder, builder.depth(), start)) return error;
    } else if (text[at] == ')') {
      ++at;
      if (builder.depth() == 0) return std::nullopt;  // the outer bracket
      builder.close();
      if (builder.depth() == 0 && !wrapped) return std::nullopt;
    } else {
      if (builder.depth() == 0)
        return TextError{at, "an unlabelled outer bracket holds one tree, found " + quote_at(text, at)};
      std::size_t end = token_end(text, at);
      if (options.spaces_in_leaves)
        for (std::size_t next = skip_space(text, end);
             next < text.size() && text[next] != '(' && text[next] != ')'; next = skip_space(text, end))
          end = token_end(text, next);
      builder.leaf(text.substr(at, end - at));
      at = end;
      if (auto error = check_limits(builder, builder.depth() + 1, start)) return error;
    }
  }
}

std::optional<TextError> read_only_tree(std::string_view text, ForestBuilder& builder,
                                        BracketOptions options) {
  if (auto error = check_utf8(text)) return error;
  std::size_t at = skip_space(text, 0);
  if (at == text.size()) return TextError{at, "the tree is empty: expected '('"};
  if (auto error = read_tree(text, at, builder, options)) return error;
  at = skip_space(text, at);
  if (at < text.size())
    return TextError{at, text[at] == ')' ? "a ')' too many" : "text after the tree: " + quote_at(text, at)};
  return std::nullopt;
}

namespace {

// Turns byte offsets, which only grow, into lines and columns.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}
  LineError locate(const TextError& error) {
    // Errors may point back to where a tree began; then count anew.
    if (error.offset < line_start_) line_ = 1, line_start_ = 0;
    for (;;) {
      const std::size_t next = text_.find('\n', line_start_);
      if (next == std::string_view::npos || next >= error.offset) break;
      ++line_;
      line_start_ = next + 1;
    }
    return {line_, 1 + count_characters(text_.substr(line_start_, error.offset - line_start_)),
            error.message};
  }

 private:
  std::string_view text_;
  std::int64_t line_ = 1;
  std::size_t line_start_ = 0;
};

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

std::size_t start_of_line(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}

// Start of the next line behind `at` that begins with '(' after at most `indent` spaces.
std::size_t next_tree_line(std::string_view text, std::size_t at, std::size_t indent) {
  for (std::size_t line = line_end(text, at) + 1; line < text.size(); line = line_end(text, line) + 1) {
    const std::size_t first = skip_space(text, line);
    if (first < text.size() && text[first] == '(' && first - line <= indent) return line;
  }
  return text.size();
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace

BracketText read_bracket_text(std::string_view text, Layout layout, bool collect, BracketOptions options) {
  text = without_byte_order_mark(text);
  BracketText result;
  ForestBuilder builder;
  Places places(text);
  // Reports the error; true when reading should go on.
  const auto report = [&](const TextError& error) {
    builder.abandon_tree();
    result.errors.push_back(places.locate(error));
    return collect;
  };
  // The first byte from here on that is not UTF-8; sought again once it lies behind.
  std::optional<TextError> bad_byte = check_utf8(text);
  for (std::size_t at = skip_space(text, 0); at < text.size(); at = skip_space(text, at)) {
    const std::size_t indent = at - start_of_line(text, at);
    // A tree ends before the line that begins the next one, even when it is not closed.
    const std::size_t limit = layout == Layout::lines ? next_tree_line(text, at, indent) : text.size();
    if (bad_byte && bad_byte->offset < at) {
      bad_byte = check_utf8(text.substr(at));
      if (bad_byte) bad_byte->offset += at;
    }
    const std::size_t bad_at = bad_byte ? bad_byte->offset : text.size();
    const auto unexpected = [&](std::size_t offset, const std::string& complaint) {
      if (bad_at < line_end(text, offset)) return *bad_byte;
      return TextError{offset, text[offset] == ')' ? "a ')' too many" : complaint + quote_at(text, offset)};
    };
    std::optional<TextError> error;
    if (text[at] != '(') {
      error = unexpected(at, "expected '(', found ");
    } else {
      const std::string_view extent = text.substr(0, std::min(limit, bad_at));
      error = read_tree(extent, at, builder, options);
      if (error && at >= extent.size()) {
        if (extent.size() < limit)
          error = bad_byte;
        else if (limit < text.size())
          result.unclosed = true;
      }
      if (!error && layout == Layout::lines) {
        const std::size_t rest = skip_space(text, at);
        if (rest < line_end(text, at)) error = unexpected(rest, "text after the tree: ");
      }
    }
    if (error) {
      if (!report(*error)) break;
      at = layout == Layout::lines ? limit : next_tree_line(text, std::max(at, error->offset), indent);
    } else {
      builder.end_tree();
    }
  }
  result.forest = builder.finish();
  return result;
}

BracketText read_bracket_field(std::string_view text, std::int64_t field, bool collect,
                               BracketOptions options) {
  text = without_byte_order_mark(text);
  BracketText result;
  ForestBuilder builder;
  std::int64_t number = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = line_end(text, line);
    ++number;
    const std::string_view content = text.substr(line, end - line);
    line = end + 1;
    if (skip_space(content, 0) == content.size()) continue;
    std::size_t begin = 0;
    std::int64_t skipped = 0;
    for (; skipped < field; ++skipped) {
      const std::size_t tab = content.find('\t', begin);
      if (tab == std::string_view::npos) break;
      begin = tab + 1;
    }
    std::optional<TextError> error;
    if (skipped < field) {
      error = TextError{content.size(), "expected at least " + std::to_string(field + 1) +
                                            " tab-separated fields, found " + std::to_string(skipped + 1)};
    } else {
      error = read_only_tree(content.substr(begin, content.find('\t', begin) - begin), builder, options);
      if (error) error->offset += begin;
    }
    if (!error) {
      builder.end_tree();
      continue;
    }
    builder.abandon_tree();
    result.errors.push_back({number, 1 + count_characters(content.substr(0, error->offset)), error->message});
    if (!collect) break;
  }
  result.forest = builder.finish();
  return result;
}

void write_tree(const Forest& forest, std::int64_t tree, LeafStyle style, std::string& out) {
  const TreeView view = forest[tree];
  if (view.size == 0) return;
  const auto label = [&](std::int32_t node) { return forest.symbols->label(view.label[node]); };
  struct Frame {
    std::int32_t node;
    std::int32_t next;  // child to write next
  };
  std::vector<Frame> frames;
  const auto open = [&](std::int32_t node) {
    out += '(';
    out += label(node);
    frames.push_back({node, 0});
  };
  open(view.size - 1);
  while (!frames.empty()) {
    Frame& frame = frames.back();
    const auto children = view.children(frame.node);
    if (frame.next == static_cast<std::int32_t>(children.size())) {
      out += ')';
      frames.pop_back();
      continue;
    }
    const std::int32_t child = children[frame.next++];
    out += ' ';
    if (view.is_leaf(child) && (style == LeafStyle::bare || children.size() == 1))
      out += label(child);
    else
      open(child);  // invalidates frame
  }
}

std::optional<std::int32_t> unprintable_label(const Forest& forest, bool allow_spaces) {
  enum Verdict : char { unknown, fine, spaced, bad };
  const auto judge = [](std::string_view text) {
    const auto unwritable = [](char c) {
      return c == '(' || c == ')' || c == '\0' || (is_space(c) && c != ' ');
    };
    if (text.empty() || text.front() == ' ' || text.back() == ' ' ||
        std::any_of(text.begin(), text.end(), unwritable))
      return bad;
    return text.find(' ') == std::string_view::npos ? fine : spaced;
  };
  std::vector<Verdict> verdicts(forest.symbols->labels.size(), unknown);
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    const TreeView view = forest[t];
    std::int32_t only_child = -1;  // in post-order, the parent of an only child comes right behind it
    for (std::int32_t v = view.size - 1; v >= 0; --v) {
      const std::int32_t id = view.label[v];
      if (verdicts[id] == unknown) verdicts[id] = judge(forest.symbols->label(id));
      if (verdicts[id] == bad) return id;
      if (verdicts[id] == spaced && !(allow_spaces && view.is_leaf(v) && v == only_child)) return id;
      only_child = view.arity(v) == 1 ? v - 1 : -1;
    }
  }
  return std::nullopt;
}

}  // namespace hedgerow::data
