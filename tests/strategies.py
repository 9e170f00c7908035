"""Random small trees for Hypothesis, as nested tuples ``(label, children)``, and how to write them."""

from hypothesis import strategies as st

Node = tuple[str, tuple["Node", ...]]

# One alphabet for leaves and internal nodes, so that a label occurs as both.
LABELS = st.sampled_from("abc")

# Any text that a label may be: the notation's own characters and what UTF-8 cannot say are left out.
ANY_LABEL = st.text(
    st.characters(exclude_characters=" \t\n\v\f\r()\0", exclude_categories=["Cs"]), min_size=1, max_size=6
)

SPACE = st.text(" \t\n\v\f\r", max_size=3)


def trees(labels=LABELS, max_nodes=12):
    """Trees with unary chains, repeated children and single nodes among them."""

    def node(children):
        mixed = st.tuples(labels, st.lists(children, min_size=1, max_size=3).map(tuple))
        repeated = st.builds(
            lambda label, child, n: (label, (child,) * n), labels, children, st.integers(2, 3)
        )
        unary = st.tuples(labels, st.tuples(children))
        return mixed | repeated | unary

    leaf = st.tuples(labels, st.just(()))
    return st.recursive(leaf, node, max_leaves=5).filter(lambda tree: size(tree) <= max_nodes)


def brackets(tree: Node) -> str:
    """The tree as hedgerow writes it."""
    label, children = tree
    return f"({' '.join([label, *(brackets(child) if child[1] else child[0] for child in children)])})"


@st.composite
def spaced_brackets(draw, tree: Node) -> str:
    """The tree with random white space, leaves bare or bracketed, and perhaps an unlabelled outer bracket."""

    def write(node: Node, is_root: bool) -> str:
        label, children = node
        if not children and not is_root and draw(st.booleans()):
            return f" {label} "
        inside = "".join(write(child, False) for child in children)
        return f"({draw(SPACE)}{label}{draw(SPACE)}{inside})"

    text = write(tree, True)
    if draw(st.booleans()):
        text = f"({draw(SPACE)}{text}{draw(SPACE)})"
    return f"{draw(SPACE)}{text}{draw(SPACE)}"


def size(tree: Node) -> int:
    """Number of nodes."""
    return 1 + sum(size(child) for child in tree[1])


def random_trees(rng, n: int, labels: str = "abcd", max_nodes: int = 25) -> list[Node]:
    """Trees of all sizes and shapes for tests that need many at once; `rng` is a numpy generator."""

    def grow(nodes: int) -> Node:
        label = str(rng.choice(list(labels)))
        children = []
        left = nodes - 1
        while left > 0:
            part = int(rng.integers(1, left + 1))
            child = grow(part)
            times = min(int(rng.integers(1, 4)), left // part) if rng.random() < 0.2 else 1
            children += [child] * times
            left -= part * times
        return label, tuple(children)

    return [grow(int(rng.integers(1, max_nodes + 1))) for _ in range(n)]
