"""Clusters of words, from their embeddings by k-means: features for a linear model (Guo et al. 2014)."""

from __future__ import annotations

import warnings

import numpy as np

from deptrees.extras import require
from deptrees.features.embeddings import Embeddings
from deptrees.messages import of_type

__all__ = ["clusters"]


def clusters(embeddings: Embeddings, n: int = 1000, seed: int = 1) -> dict[str, str]:
    """Words grouped by the directions of their vectors, with scikit-learn's k-means (the extra ``clusters``).

    Args:
        embeddings: the vectors.
        n: the number of clusters; there are fewer if there are fewer directions.
        seed: determines the starting point of k-means.

    Returns:
        The cluster of each word, for `deptrees.features.Templates.with_clusters`: a number from 0, as text.

    Raises:
        ValueError: there are fewer words than clusters, or n is not positive.
        ModuleNotFoundError: scikit-learn is not installed; the message says how to install it.

    >>> found = clusters(Embeddings(["dog", "cat", "run"], [[2, 0.1], [1, 0], [0, 1]]), n=2)
    >>> found["dog"] == found["cat"] != found["run"]
    True
    """
    require("sklearn", "clusters need scikit-learn", "clusters")
    from sklearn.cluster import KMeans, kmeans_plusplus
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    of_type("embeddings", embeddings, Embeddings, "Embeddings")
    if not 1 <= n <= len(embeddings):
        raise ValueError(f"{len(embeddings)} words make 1 to {len(embeddings)} clusters: not {n}")
    lengths = np.linalg.norm(embeddings.vectors, axis=1, keepdims=True)
    directions = embeddings.vectors / np.where(lengths > 0, lengths, 1)
    # With one thread sums are rounded alike in every run, so that the same seed gives the same clusters.
    with threadpool_limits(1, user_api="openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer directions than clusters
        # One trial a center, as in Arthur & Vassilvitskii 2007: the usual eight take twenty times as long.
        centers, _ = kmeans_plusplus(directions, n, n_local_trials=1, random_state=seed)
        nearest = KMeans(n, init=centers, n_init=1).fit(directions).labels_
    return dict(zip(embeddings.words, map(str, nearest.tolist()), strict=True))
