"""scikit-learn: a parser as an estimator, and the steps of oracles as sparse matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import Parameter, Signature
from numbers import Integral
from typing import TYPE_CHECKING, Any

from deptrees.extras import require

require("sklearn", "deptrees.integrations.sklearn needs scikit-learn", "sklearn")

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from deptrees.evaluation.scores import evaluate
from deptrees.parser import Parser
from deptrees.training.declarations import declarations
from deptrees.training.options import LinearOptions
from deptrees.trees.tree import AnyTree, DependencyTree, Sentence

if TYPE_CHECKING:
    from sklearn.utils import Tags

__all__ = ["ParserEstimator", "StepHasher"]


_OPTIONS = {
    "random_state" if name == "seed" else name: field.default
    for name, (field, _) in declarations(LinearOptions).items()
}


class ParserEstimator(BaseEstimator):
    """A parser whose parameters are found by scikit-learn's searches, and that its cross-validation can train.

    Args:
        options: those of ``Parser.train``; see `deptrees.training.LinearOptions`. The seed is called ``random_state``
            as everywhere in scikit-learn, and can be anything that this takes; by default it is 1.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from deptrees import sample_treebank
    >>> trees = [*sample_treebank("train")]
    >>> search = GridSearchCV(ParserEstimator(epochs=2), {"system": ["arc_eager", "arc_hybrid"]}, cv=2).fit(trees)
    >>> search.best_params_["system"] in ("arc_eager", "arc_hybrid"), len(search.predict([["Birds", "sing"]]))
    (True, 1)
    """

    def __init__(self, **options: Any) -> None:
        for name, default in _OPTIONS.items():
            setattr(self, name, options.pop(name, default))
        if options:
            raise TypeError(f"there is no option {next(iter(options))!r}: choose one of {', '.join(_OPTIONS)}")

    def fit(self, X: Iterable[AnyTree], y: object = None) -> ParserEstimator:  # noqa: N803  scikit-learn's name
        """Train a parser on trees, which is then the attribute ``parser_``."""
        options = self.get_params(deep=False)
        state = options.pop("random_state")
        seed = int(state if isinstance(state, Integral) else check_random_state(state).randint(2**31))
        self.parser_ = Parser.train(X, seed=seed, **options)
        return self

    def predict(self, X: Iterable[Sentence]) -> npt.NDArray[np.object_]:  # noqa: N803
        """Parse sentences: trees, of which only the words count, or lists of words.

        The trees are in an array of one dimension, which scikit-learn can join, whatever their lengths.
        """
        check_is_fitted(self)
        return np.fromiter(self.parser_.parse(X), object)

    def score(self, X: Sequence[DependencyTree], y: object = None) -> float:  # noqa: N803
        """The labeled attachment score on trees, from 0 to 1, or the unlabeled one if they have no labels.

        All words with a gold head count, as in `evaluate`. For another score, give scikit-learn a function as
        ``scoring``, which it calls with the estimator and the trees.
        """
        scores = evaluate(X, self.predict(X))
        return scores.las if any(any(tree.labels) for tree in X) else scores.uas

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


_PARAMETERS = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in _OPTIONS.items()]
ParserEstimator.__init__.__signature__ = Signature(  # type: ignore[attr-defined]
    [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *_PARAMETERS]
)  # where scikit-learn looks for parameters


class StepHasher(TransformerMixin, BaseEstimator):
    """Makes a sparse matrix for linear models of the features of steps, as `deptrees.engine.batches` gives them.

    Each number of each column puts a 1 into a column of the result, found by hashing.

    Args:
        n_features: the number of columns of the result.

    >>> from sklearn.linear_model import SGDClassifier
    >>> from deptrees import sample_treebank
    >>> from deptrees.engine import batches
    >>> [batch] = batches(sample_treebank("train"), "arc_hybrid", oracle="static")
    >>> steps = StepHasher(n_features=2**16).fit_transform(batch.features)
    >>> SGDClassifier(random_state=1).fit(steps, batch.taken).score(steps, batch.taken) > 0.9
    True
    """

    def __init__(self, n_features: int = 2**18) -> None:
        self.n_features = n_features

    def fit(self, X: npt.ArrayLike, y: object = None) -> StepHasher:  # noqa: N803
        """Take note of how many columns an array of numbers has; nothing else is learned."""
        self._numbers(X, reset=True)
        return self

    def transform(self, X: npt.ArrayLike) -> csr_matrix:  # noqa: N803
        """The sparse matrix of an array of numbers, both with a row for each step.

        Raises:
            ValueError: there are more or fewer columns than in ``fit``.
        """
        check_is_fitted(self)
        numbers = self._numbers(X, reset=False)
        with np.errstate(over="ignore"):
            mixed = (numbers + np.arange(numbers.shape[1], dtype=np.uint64) * _GOLDEN) * _GOLDEN
        columns = (mixed >> np.uint64(32)) % np.uint64(self.n_features)
        starts = np.arange(len(numbers) + 1) * numbers.shape[1]
        shape = len(numbers), self.n_features
        found = csr_matrix((np.ones(columns.size), columns.reshape(-1).astype(np.int64), starts), shape=shape)
        found.sum_duplicates()
        return found

    def _numbers(self, X: npt.ArrayLike, reset: bool) -> npt.NDArray[np.uint64]:  # noqa: N803
        """The numbers as whole ones of 64 bits; of fractions the bits are taken."""
        found: Any = validate_data(self, X, dtype="numeric", reset=reset)
        return found.astype(np.uint64) if found.dtype.kind in "iub" else found.astype(np.float64).view(np.uint64)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2 to the power of 64, divided by the golden ratio: multiplying by it spreads numbers (Knuth 1973, section 6.4)."""
