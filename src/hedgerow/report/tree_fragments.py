"""The fragments that matter in a model on a tree kernel, drawn as trees."""

from __future__ import annotations

from typing import Any

from hedgerow.inspection import Fragment, Fragments, fragments, tree_svg
from hedgerow.kernels import Kernel, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.models.schema import leaves
from hedgerow.report.blocks import Block, Gallery, Heading, Picture, Sentence
from hedgerow.report.numbers import several

MOST_CLASSES = 12  # whose fragments are drawn
OF_A_CLASS = 6


def has_trees(kernel: Any) -> bool:
    """Whether a tree kernel is among those that the kernel is made of."""
    trees = (SubTree, SubsetTree, PartialTree, SubPath)
    return isinstance(kernel, Kernel) and any(isinstance(leaf, trees) for leaf in leaves(kernel))


def fragment_blocks(model: Any, labels: list[Any]) -> list[Block]:
    """The heaviest fragments of each class: first those for it, then those against it."""
    chosen = labels[1:] if len(labels) == 2 else labels[:MOST_CLASSES]
    try:
        found = {label: fragments(model, OF_A_CLASS, label=label) for label in chosen}
    except (ValueError, TypeError) as error:  # products of kernels have no fragments, for instance
        return [Sentence(f"Its fragments cannot be shown: {error}", aside=True)]
    said = (
        "The score of a tree is the sum of the weights of its fragments, each times what the tree has of it. These "
        "have the largest weights. Words are slanted; a dotted line is a node whose children may be anything."
    )
    blocks: list[Block] = [Heading("Fragments that matter"), Sentence(said)]
    for label in chosen:
        blocks += _of_class(label, found[label], labels)
    if len(chosen) < len(labels) and len(labels) > 2:
        blocks.append(
            Sentence(f"And {several(len(labels) - len(chosen), 'more class', 'more classes')}.", aside=True)
        )
    return blocks


def _of_class(label: Any, found: Fragments, labels: list[Any]) -> list[Block]:
    what = f"{label} rather than {labels[0]}" if len(labels) == 2 else str(label)
    own = sorted(found.of(label), key=lambda fragment: -fragment.weight)
    if not own:
        return []
    blocks: list[Block] = [Heading(what, small=True), Gallery([_drawn(one) for one in own], size="small")]
    note = found.note(label)
    return [*blocks, Sentence(f"The search was cut short: {note}.", aside=True)] if note else blocks


def _drawn(fragment: Fragment) -> Picture:
    part = f", {fragment.part}" if fragment.part else ""
    speaks = "for" if fragment.weight > 0 else "against"
    return Picture(
        tree_svg(fragment, max_nodes=60),
        f"{fragment.tree}, weight {fragment.weight:+.4g}{part}",
        f"{fragment.weight:+.3f} {speaks}{part}",
    )
