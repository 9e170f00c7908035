"""Tree kernels written twice more, slowly and readably, for tests on tiny trees.

Trees are nested tuples ``(label, children)``. *By fragments*: every fragment of a tree is listed, and the
kernel is the sum over common fragments of ``weight * count * count``. *By recursion*: the sum over pairs of
nodes of D, the weight of the common fragments that are rooted in the two. Numbers may be floats, Fractions or
integers, so that results can be exact.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product


def nodes(tree):
    """All nodes, each as the subtree under it."""
    yield tree
    for child in tree[1]:
        yield from nodes(child)


def internal_nodes(tree):
    return [node for node in nodes(tree) if node[1]]


def leaves(tree):
    return [node[0] for node in nodes(tree) if not node[1]]


def production(node):
    label, children = node
    return label, tuple(child[0] for child in children)


def dot(a, b, weight):
    """The kernel of two trees, given how often each has each fragment and what a fragment weighs."""
    return sum(weight(fragment) * a[fragment] * b[fragment] for fragment in a.keys() & b.keys())


# -- by fragments --------------------------------------------------------------------------------------------


def fragments_st(tree):
    """Complete subtrees of internal nodes."""
    return Counter(internal_nodes(tree))


def fragments_sst(tree):
    """Nodes with all their children, each of which may have all its children in turn, and so on."""

    def rooted(node):
        label, children = node
        choices = [[(child[0], ()), *(rooted(child) if child[1] else [])] for child in children]
        return [(label, chosen) for chosen in product(*choices)]

    return Counter(fragment for node in internal_nodes(tree) for fragment in rooted(node))


def fragments_sst_bow(tree):
    """Those of SST, and the leaves."""
    return fragments_sst(tree) + Counter((leaf, "leaf") for leaf in leaves(tree))


def st(a, b, decay):
    def weight(fragment):
        return decay ** len(internal_nodes(fragment))

    return dot(fragments_st(a), fragments_st(b), weight)


def sst(a, b, decay, bag_of_words=False):
    def weight(fragment):
        return decay if fragment[1] == "leaf" else decay ** len(internal_nodes(fragment))

    fragments = fragments_sst_bow if bag_of_words else fragments_sst
    return dot(fragments(a), fragments(b), weight)


def fragments_pt(tree, decay, max_length=None, lexical=True):
    """Connected parts of a tree: a node with a selection of its children, each with a selection of theirs,
    and so on. Every way to find a fragment counts ``decay ** (children skipped between the selected ones)``.

    The ends of a fragment (nodes without selected children) are listed twice: as "any" end, and as what they
    are in this tree, "leaf" or "internal". That makes the factor of a matched pair of ends, which depends on
    both, a sum of products of the two.
    """

    @cache
    def rooted(node):
        label, children = node
        found = Counter({(label, end): 1 for end in ("any", "internal" if children else "leaf")})
        for length in range(1, len(children) + 1 if max_length is None else max_length + 1):
            for selected in combinations(range(len(children)), length):
                gaps = selected[-1] - selected[0] + 1 - length
                for parts in product(*(rooted(children[i]).items() for i in selected)):
                    count = decay**gaps
                    for _, of_part in parts:
                        count *= of_part
                    found[label, tuple(part for part, _ in parts)] += count
        return found

    total = Counter()
    for node in nodes(tree):
        for fragment, count in rooted(node).items():
            if lexical or isinstance(fragment[1], tuple):
                total[fragment] += count
    return total


def pt(a, b, decay, vertical_decay, lexical=True, max_length=None, terminal_factor=1):
    both = min(1, terminal_factor)
    factor_of_end = {"any": both, "leaf": terminal_factor - both, "internal": 1 - both}

    def weight(fragment):
        below = fragment[1]
        if isinstance(below, str):
            return vertical_decay * decay**2 * factor_of_end[below]
        result = vertical_decay
        for part in below:
            result *= weight(part)
        return result

    return dot(
        fragments_pt(a, decay, max_length, lexical), fragments_pt(b, decay, max_length, lexical), weight
    )


def paths(tree, above=()):
    """Labels of all ways up: from every node through its parents, as far as one likes."""
    label, children = tree
    upwards = (label, *above)
    found = Counter(upwards[:length] for length in range(1, len(upwards) + 1))
    for child in children:
        found += paths(child, upwards)
    return found


def subpath(a, b, decay):
    return dot(paths(a), paths(b), lambda path: decay ** len(path))


def pieces(tree, subtrees, paths, leaves, siblings):
    """Small pieces: subtrees cut off, paths, neighbouring leaves, neighbouring siblings with their parent."""

    def cut(node, levels):
        label, children = node
        return (label, tuple(cut(child, levels - 1) for child in children) if levels else ())

    def height(node):
        return 1 + max(map(height, node[1])) if node[1] else 0

    def upwards(node, above=()):
        way = (node[0], *above)
        yield way
        for child in node[1]:
            yield from upwards(child, way)

    found = set()
    for node in internal_nodes(tree):
        found |= {("subtree", cut(node, levels)) for levels in range(1, min(subtrees, height(node)) + 1)}
        if siblings:
            pairs = zip(node[1], node[1][1:], strict=False)
            found |= {("siblings", node[0], left[0], right[0]) for left, right in pairs}
    found |= {("path", way[:n]) for way in upwards(tree) for n in range(1, paths + 1)}
    words = [node[0] for node in nodes(tree) if not node[1]]
    found |= {("leaves", *words[i : i + n]) for n in range(1, leaves + 1) for i in range(len(words) - n + 1)}
    return found


def short_fragments(a, b, subtrees, paths, leaves, siblings):
    sizes = subtrees, paths, leaves, siblings
    return len(pieces(a, *sizes) & pieces(b, *sizes))


# -- by recursion --------------------------------------------------------------------------------------------


def over_pairs(a, b, D):
    return sum(D(x, y) for x in a for y in b)


def st_recursive(a, b, decay):
    @cache
    def D(x, y):
        if production(x) != production(y):
            return 0
        result = decay
        for below_x, below_y in zip(x[1], y[1], strict=True):
            if below_x[1] or below_y[1]:
                result *= D(below_x, below_y)
        return result

    return over_pairs(internal_nodes(a), internal_nodes(b), D)


def sst_recursive(a, b, decay, bag_of_words=False):
    @cache
    def D(x, y):
        if production(x) != production(y):
            return 0
        result = decay
        for below_x, below_y in zip(x[1], y[1], strict=True):
            if below_x[1] and below_y[1]:
                result *= 1 + D(below_x, below_y)
        return result

    result = over_pairs(internal_nodes(a), internal_nodes(b), D)
    if bag_of_words:
        result += over_pairs(leaves(a), leaves(b), lambda x, y: decay if x == y else 0)
    return result


def pt_recursive(a, b, decay, vertical_decay, lexical=True, max_length=None, terminal_factor=1):
    def S(xs, ys):
        """Sum over pairs of equally long child subsequences, by where they end."""
        total = 0
        ending = {(i, j): D(x, y) for i, x in enumerate(xs) for j, y in enumerate(ys)}
        longest = min(len(xs), len(ys)) if max_length is None else max_length
        for _ in range(longest):
            total += sum(ending.values())
            ending = {
                (i, j): D(xs[i], ys[j])
                * sum(
                    decay ** (i - before_i - 1 + j - before_j - 1) * ending[before_i, before_j]
                    for before_i in range(i)
                    for before_j in range(j)
                )
                for i, j in ending
            }
        return total

    @cache
    def D(x, y):
        if x[0] != y[0]:
            return 0
        if x[1] and y[1]:
            return vertical_decay * (decay**2 + S(x[1], y[1]))
        factor = min(1, terminal_factor) if x[1] or y[1] else terminal_factor
        return vertical_decay * decay**2 * factor

    if lexical:
        return over_pairs(nodes(a), list(nodes(b)), D)
    return over_pairs(
        internal_nodes(a),
        internal_nodes(b),
        lambda x, y: vertical_decay * S(x[1], y[1]) if x[0] == y[0] else 0,
    )


def subpath_recursive(a, b, decay):
    def with_ancestors(tree, above=()):
        upwards = (tree[0], *above)
        yield upwards
        for child in tree[1]:
            yield from with_ancestors(child, upwards)

    def D(x, y):
        return decay * (1 + D(x[1:], y[1:])) if x and y and x[0] == y[0] else 0

    return over_pairs(with_ancestors(a), list(with_ancestors(b)), D)
