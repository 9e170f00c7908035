"""Features of tiny trees, listed one by one: what tree kernels are inner products of."""

from math import sqrt

from hedgerow.kernels import Normalized, PartialTree, SubPath, SubsetTree, SubTree
from tests.kernels import tree_oracles as oracles


def features(kernel, tree):
    """phi(tree) as a dict; fragments are as in `fragment_key`."""
    if isinstance(kernel, Normalized):
        inside = features(kernel.kernel, tree)
        norm = sqrt(sum(value**2 for value in inside.values()))
        return {key: value / norm for key, value in inside.items()} if norm > 0 else {}
    counts, weight = _listed(kernel, tree)
    return {key: sqrt(weight(key)) * count for key, count in counts.items() if count and weight(key) > 0}


def _listed(kernel, tree):
    if isinstance(kernel, SubTree):
        return oracles.fragments_st(tree), lambda key: kernel.decay ** len(oracles.internal_nodes(key))
    if isinstance(kernel, SubsetTree):
        listed = oracles.fragments_sst_bow(tree) if kernel.bag_of_words else oracles.fragments_sst(tree)
        return (
            listed,
            lambda key: (
                kernel.decay if key[1] == "leaf" else kernel.decay ** len(oracles.internal_nodes(key))
            ),
        )
    if isinstance(kernel, SubPath):
        return oracles.paths(tree), lambda key: kernel.decay ** len(key)
    assert isinstance(kernel, PartialTree)
    both = min(1, kernel.terminal_factor)
    ends = {"any": both, "leaf": kernel.terminal_factor - both, "internal": 1 - both}

    def weight(key):
        below = key[1]
        if isinstance(below, str):
            return kernel.vertical_decay * kernel.decay**2 * ends[below]
        result = kernel.vertical_decay
        for part in below:
            result *= weight(part)
        return result

    return oracles.fragments_pt(tree, kernel.decay, kernel.max_length, kernel.lexical), weight


def weights(kernel, trees, coefficients):
    """Those of ``sum_i coefficients_i K(tree_i, .)``."""
    total = {}
    for tree, coefficient in zip(trees, coefficients, strict=True):
        for key, value in features(kernel, tree).items():
            total[key] = total.get(key, 0.0) + coefficient * value
    return total


def fragment_key(kernel, fragment):
    """A fragment as the lists have it; without terminal factors, which tell ends apart."""
    done = []
    for label, arity in zip(fragment.labels, fragment.arity, strict=True):
        children = tuple(done[len(done) - arity :])
        del done[len(done) - arity :]
        done.append((label, children))
    (tree,) = done
    inner = kernel.kernel if isinstance(kernel, Normalized) else kernel
    if isinstance(inner, SubPath):
        return tuple(reversed([node[0] for node in oracles.nodes(tree)]))
    if isinstance(inner, PartialTree):
        return _with_ends(tree)
    if isinstance(inner, SubsetTree) and not tree[1]:
        return tree[0], "leaf"
    return tree


def _with_ends(tree):
    label, children = tree
    return (label, tuple(map(_with_ends, children))) if children else (label, "any")
