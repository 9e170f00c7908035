"""Support vector machines that are classifiers, for everyday use: they make the problem themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sklearn.base import ClassifierMixin

from hedgerow.checks import Cost
from hedgerow.structured.classes import Multiclass, MulticlassParameters
from hedgerow.structured.output_features import OutputFeatures, OutputFeaturesParameters
from hedgerow.structured.svm import StructuredMachine
from hedgerow.structured.taxonomy import Taxonomy, TaxonomyParameters


@dataclass(eq=False, repr=False, kw_only=True)
class ClassMachine(ClassifierMixin, StructuredMachine):  # type: ignore[misc]
    """What these share.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Multiplies C for the examples of a class. "balanced": in inverse proportion to the number of its examples.
    """

    class_weight: Mapping[Any, float] | Literal["balanced"] | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class MulticlassSVC(MulticlassParameters, ClassMachine):
    """The multiclass machine of Crammer and Singer: one weight vector per class, trained together.

    A class must score higher than every other by a margin, 1 or what confusing the two costs; there is one slack an
    example, in place of those of machines that are trained one class against the rest. With ``rivals="all"`` there is
    one for each wrong class: the machine of Weston and Watkins.

    Other parameters and attributes are those of `Multiclass` and `StructuredSVM`.

    Examples
    --------
    >>> from hedgerow.structured import MulticlassSVC
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(cross_val_score(MulticlassSVC(C=10, random_state=0), X, y, cv=3).mean() > 0.93)
    True
    """

    problem_class = Multiclass

    C: Cost = field(default=1.0, kw_only=False)


@dataclass(eq=False, repr=False, kw_only=True)
class OutputFeaturesSVC(OutputFeaturesParameters, ClassMachine):
    """A classifier for classes that are described by features, texts or similarities.

    Other parameters and attributes are those of `OutputFeatures` and `StructuredSVM`.

    Examples
    --------
    A class without examples, but with a description, can be found:

    >>> from hedgerow.structured import OutputFeaturesSVC
    >>> texts = {"hockey": "team ice", "skating": "solo ice", "football": "team grass", "running": "solo grass"}
    >>> X = [[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]  # talk of ice, grass, teams, one person
    >>> model = OutputFeaturesSVC(texts, C=10, identity=False, random_state=0)
    >>> model.fit(X, ["hockey", "skating", "running"]).predict([[0.0, 1.0, 1.0, 0.0]])
    array(['football'], dtype='<U8')
    """

    problem_class = OutputFeatures

    C: Cost = field(default=1.0, kw_only=False)


@dataclass(eq=False, repr=False, kw_only=True)
class TaxonomySVC(TaxonomyParameters, ClassMachine):
    """A classifier for classes in a taxonomy.

    Every node of the taxonomy has a weight vector, and a class scores by the sum of those of itself and its ancestors,
    so that classes with few examples learn from their relatives; and a mistake costs the more the further apart the
    two classes are.

    Other parameters and attributes are those of `Taxonomy` and `StructuredSVM`.

    Examples
    --------
    >>> from hedgerow.feature_extraction import TextHasher
    >>> from hedgerow.structured import TaxonomySVC
    >>> parents = {"hockey": "sport", "tennis": "sport", "physics": "science", "sport": "all", "science": "all"}
    >>> texts = ["goal on ice", "a ball over the net", "atoms and waves"]
    >>> model = TaxonomySVC(parents, C=10, vectorizer=TextHasher(n_features=2**12))
    >>> model.fit(texts, ["hockey", "tennis", "physics"]).predict(["waves of light", "a long ball"])
    array(['physics', 'tennis'], dtype='<U7')
    """

    problem_class = Taxonomy

    C: Cost = field(default=1.0, kw_only=False)
