// The features of a parse, after E. Charniak and M. Johnson: Coarse-to-fine n-best parsing and MaxEnt
// discriminative reranking, ACL 2005, and M. Collins: Discriminative reranking for natural language parsing,
// ICML 2000.
//
// Every feature is a count: how often something occurs in the parse.
#pragma once

#include <algorithm>
#include <utility>

#include "features/feature_hash.hpp"
#include "features/parse.hpp"

namespace hedgerow::features {

// Out is called as out(kind, build, count = 1), where build(feature) adds the parts to a HashedFeature or a
// NamedFeature.
template <class Out>
class ParseTemplates {
 public:
  ParseTemplates(const Parse& parse, Out& output) : p(parse), out(output) {}

  void all() {
    if (p.size() == 0) return;
    for (std::int32_t node = 0; node < p.size(); ++node) {
      if (!p.is_phrase(node)) continue;
      rules(node);
      sibling_ngrams(node);
      heads(node);
      spans(node);
      rule_spans(node);
      splits(node);
      coordination(node);
    }
    words();
    right_branch();
  }

 private:
  using Node = std::int32_t;

  static int bin(std::int32_t length) {
    return length <= 5 ? length : length <= 10 ? 6 : length <= 20 ? 7 : 8;
  }

  template <class Feature>
  void add_rule(Feature& f, Node node) const {
    f.label(p.label(node)).mark("->");
    for (const Node child : p.children(node)) f.label(p.label(child));
  }

  // Rules, alone, with the labels above and with the words that head them.
  void rules(Node node) {
    const Node parent = p.parent(node);
    out("rule", [&](auto& f) { add_rule(f, node); });
    out("parent rule", [&](auto& f) {
      f.label(p.label(parent));
      add_rule(f, node);
    });
    out("grandparent rule", [&](auto& f) {
      f.label(p.label(p.parent(parent))).label(p.label(parent));
      add_rule(f, node);
    });
    const std::int32_t head = p.head(node, HeadKind::syntax);
    out("rule word", [&](auto& f) {
      f.word(p.word(head));
      add_rule(f, node);
    });
    out("rule tag", [&](auto& f) {
      f.label(p.tag(head));
      add_rule(f, node);
    });
  }

  // Two and three neighbouring children, with their parent and where its head is.
  void sibling_ngrams(Node node) {
    const auto below = p.children(node);
    const auto n = static_cast<std::int32_t>(below.size());
    const auto label = [&](std::int32_t i) { return i >= 0 && i < n ? p.label(below[i]) : Parse::nothing; };
    const Node head = p.head_child(node, HeadKind::syntax);
    const auto place = static_cast<std::int32_t>(std::find(below.begin(), below.end(), head) - below.begin());
    const auto side = [&](std::int32_t i) { return i < place ? 0 : i == place ? 1 : 2; };
    for (std::int32_t i = 0; i <= n; ++i) {
      out("2 siblings",
          [&](auto& f) { f.label(p.label(node)).number(side(i)).label(label(i - 1)).label(label(i)); });
      if (i == 0) continue;
      out("3 siblings", [&](auto& f) {
        f.label(p.label(node)).number(side(i)).label(label(i - 2)).label(label(i - 1)).label(label(i));
      });
    }
  }

  // Which head takes which modifier.
  void heads(Node node) {
    for (const HeadKind kind : {HeadKind::syntax, HeadKind::content}) {
      const Node head = p.head_child(node, kind);
      const std::int32_t h = p.head(node, kind);
      for (const Node child : p.children(node)) {
        if (child == head || p.table().is_punctuation(p.label(child))) continue;
        modifier(node, head, h, child, p.head(child, kind), kind);
      }
    }
    if (p.length(node) == p.words()) return;
    const Node parent = p.parent(node);  // the word that the phrase as a whole depends on
    const std::int32_t above = p.head(parent, HeadKind::syntax);
    if (above == p.head(node, HeadKind::syntax)) return;
    out("governor", [&](auto& f) { f.label(p.label(parent)).label(p.label(node)).word(p.word(above)); });
    out("governor tag", [&](auto& f) {
      add_rule(f, node);
      f.label(p.tag(above)).label(p.label(parent));
    });
  }

  void modifier(Node node, Node head, std::int32_t h, Node child, std::int32_t m, HeadKind kind) {
    const bool left = m < h;
    const auto frame = [&](auto& f) -> decltype(auto) {
      return f.label(p.label(node)).label(p.label(head)).label(p.label(child)).number(left);
    };
    if (kind == HeadKind::syntax) {
      out("head tags", [&](auto& f) { frame(f).label(p.tag(h)).label(p.tag(m)); });
      out("head words", [&](auto& f) { frame(f).word(p.word(h)).word(p.word(m)); });
      out("head distance", [&](auto& f) {
        const std::int32_t between = left ? p.begin(head) - p.end(child) : p.begin(child) - p.end(head);
        frame(f).number(bin(std::max(0, between))).number(bin(p.length(child)));
      });
      out("head word", [&](auto& f) { frame(f).word(p.word(h)); });
      out("modifier word", [&](auto& f) { frame(f).word(p.word(m)); });
      out("head word, tag", [&](auto& f) { frame(f).word(p.word(h)).label(p.tag(m)); });
      out("head tag, word", [&](auto& f) { frame(f).label(p.tag(h)).word(p.word(m)); });
      const std::int32_t object = p.head(child, HeadKind::content);
      if (object != m)  // "eat with a fork": the head, the preposition and its object
        out("head, function, content",
            [&](auto& f) { f.label(p.label(node)).word(p.word(h)).word(p.word(m)).word(p.word(object)); });
    } else {
      out("content tags", [&](auto& f) { frame(f).label(p.tag(h)).label(p.tag(m)); });
      out("content words", [&](auto& f) { f.label(p.label(node)).word(p.word(h)).word(p.word(m)); });
    }
  }

  // Labels of spans: how long they are, what stands at their borders, inside and outside.
  void spans(Node node) {
    const std::int32_t label = p.label(node), begin = p.begin(node), end = p.end(node);
    const std::int32_t before = begin - 1, first = begin, last = end - 1, after = end;
    const int length = bin(end - begin);
    out("length", [&](auto& f) { f.label(label).number(length); });
    out("heavy", [&](auto& f) {
      const std::int32_t to_end = p.words() - end;
      f.label(label).number(length).number(to_end == 0 ? 0 : bin(to_end)).label(punctuation_at(after));
    });
    out("neighbours",
        [&](auto& f) { f.label(label).number(length).label(p.tag(before)).label(p.tag(after)); });
    out("edges", [&](auto& f) {
      f.label(label).label(p.tag(before)).label(p.tag(first)).label(p.tag(last)).label(p.tag(after));
    });
    out("left edge", [&](auto& f) { f.label(label).label(p.tag(before)).label(p.tag(first)); });
    out("right edge", [&](auto& f) { f.label(label).label(p.tag(last)).label(p.tag(after)); });
    out("first word", [&](auto& f) { f.label(label).number(length).word(p.word(first)); });
    out("last word", [&](auto& f) { f.label(label).number(length).word(p.word(last)); });
    out("word before", [&](auto& f) { f.label(label).word(p.word(before)).label(p.tag(first)); });
    out("word after", [&](auto& f) { f.label(label).label(p.tag(last)).word(p.word(after)); });
    out("shapes", [&](auto& f) { f.label(label).shape(p.word(first)).shape(p.word(last)); });
    out("outer shapes", [&](auto& f) { f.label(label).shape(p.word(before)).shape(p.word(after)); });
  }

  // Rules with what stands at the borders of their span (D. Hall, G. Durrett, D. Klein: Less grammar, more
  // features, ACL 2014).
  void rule_spans(Node node) {
    const std::int32_t begin = p.begin(node), end = p.end(node);
    const auto with_rule = [&](FeatureKind kind, auto&& add) {
      out(kind, [&](auto& f) {
        add_rule(f, node);
        add(f);
      });
    };
    with_rule("rule length", [&](auto& f) { f.number(bin(end - begin)); });
    with_rule("rule first word", [&](auto& f) { f.word(p.word(begin)); });
    with_rule("rule last word", [&](auto& f) { f.word(p.word(end - 1)); });
    with_rule("rule before", [&](auto& f) { f.label(p.tag(begin - 1)); });
    with_rule("rule after", [&](auto& f) { f.label(p.tag(end)); });
    out("span shape", [&](auto& f) {
      f.label(p.label(node));
      for (std::int32_t i = begin; i < std::min(end, begin + 8); ++i) f.shape(p.word(i));
    });
    out("span tags", [&](auto& f) {
      f.label(p.label(node));
      for (std::int32_t i = begin; i < std::min(end, begin + 8); ++i) f.label(p.tag(i));
    });
  }

  // Where one child ends and the next one begins.
  void splits(Node node) {
    const auto below = p.children(node);
    for (std::size_t i = 1; i < below.size(); ++i) {
      const std::int32_t at = p.begin(below[i]);
      const auto frame = [&](auto& f) -> decltype(auto) {
        return f.label(p.label(node)).label(p.label(below[i - 1])).label(p.label(below[i]));
      };
      out("split tags", [&](auto& f) { frame(f).label(p.tag(at - 1)).label(p.tag(at)); });
      out("split left word", [&](auto& f) { frame(f).word(p.word(at - 1)); });
      out("split right word", [&](auto& f) { frame(f).word(p.word(at)); });
      out("split lengths",
          [&](auto& f) { frame(f).number(bin(p.length(below[i - 1]))).number(bin(p.length(below[i]))); });
    }
  }

  std::int32_t punctuation_at(std::int32_t word) const {
    const std::int32_t tag = p.tag(word);
    return tag != Parse::nothing && p.table().is_punctuation(tag) ? tag : Parse::nothing;
  }

  // Conjuncts are alike: in label, in what is below and in length.
  void coordination(Node node) {
    const auto below = p.children(node);
    for (std::size_t i = 1; i + 1 < below.size(); ++i) {
      if (!p.table().is_conjunction(p.label(below[i]))) continue;
      std::size_t j = i - 1;
      while (j > 0 && p.table().is_punctuation(p.label(below[j]))) --j;
      const Node a = below[j], b = below[i + 1];
      out("conjuncts", [&](auto& f) { f.label(p.label(node)).label(p.label(a)).label(p.label(b)); });
      const int depth = common_depth(a, b, 4);
      out("conjuncts alike", [&](auto& f) { f.label(p.label(node)).number(depth); });
      out("conjunct lengths",
          [&](auto& f) { f.label(p.label(node)).number(std::clamp(p.length(b) - p.length(a), -5, 5)); });
      out("conjunct heads", [&](auto& f) {
        f.label(p.label(node)).label(p.tag(p.head(a, HeadKind::content)));
        f.label(p.tag(p.head(b, HeadKind::content)));
      });
    }
  }

  // To how many levels, at most `most`, two subtrees are the same.
  int common_depth(Node a, Node b, int most) const {
    if (most == 0 || p.label(a) != p.label(b)) return 0;
    if (p.is_leaf(a) || p.is_leaf(b)) return most;
    const auto below_a = p.children(a), below_b = p.children(b);
    if (!p.is_phrase(a) && !p.is_phrase(b)) return most;  // tags: words differ
    if (below_a.size() != below_b.size()) return 1;
    int least = most - 1;
    for (std::size_t i = 0; i < below_a.size(); ++i)
      least = std::min(least, common_depth(below_a[i], below_b[i], most - 1));
    return 1 + least;
  }

  // Words with their tags, and with the phrases that they head.
  void words() {
    for (std::int32_t i = 0; i < p.words(); ++i) {
      const Node tag = p.parent(p.leaf(i));
      if (tag == Parse::nothing) continue;
      out("word tag", [&](auto& f) { f.word(p.word(i)).label(p.tag(i)); });
      out("2 tags", [&](auto& f) { f.label(p.tag(i - 1)).label(p.tag(i)); });
      out("3 tags", [&](auto& f) { f.label(p.tag(i - 2)).label(p.tag(i - 1)).label(p.tag(i)); });
      out("tags of word", [&](auto& f) { f.label(p.tag(i - 1)).word(p.word(i)).label(p.tag(i)); });
      out("tag above", [&](auto& f) {
        f.word(p.word(i))
            .label(p.tag(i))
            .label(p.label(p.parent(tag)))
            .label(p.label(p.parent(p.parent(tag))));
      });
      projections(i, tag);
    }
  }

  void projections(std::int32_t word, Node tag) {
    Node top = tag;
    while (p.parent(top) != Parse::nothing && p.head(p.parent(top), HeadKind::syntax) == word)
      top = p.parent(top);
    const auto chain = [&](auto& f) {
      for (Node node = tag; node != p.parent(top); node = p.parent(node)) f.label(p.label(node));
      f.mark("<").label(p.label(p.parent(top)));
    };
    out("projections", chain);
    out("word projections", [&](auto& f) {
      f.word(p.word(word));
      chain(f);
    });
  }

  // Nodes on the way from the root to the last word that is no punctuation, and those that are not.
  void right_branch() {
    std::int32_t last = p.words() - 1;
    while (last > 0 && punctuation_at(last) != Parse::nothing) --last;
    std::int32_t on = 0, phrases = 0;
    for (Node node = p.parent(p.leaf(last)); node != Parse::nothing; node = p.parent(node))
      on += p.is_phrase(node);
    for (Node node = 0; node < p.size(); ++node) phrases += p.is_phrase(node);
    out("right branch", [](auto& f) { f.number(1); }, on);
    out("right branch", [](auto& f) { f.number(0); }, phrases - on);
  }

  const Parse& p;
  Out& out;
};

}  // namespace hedgerow::features
