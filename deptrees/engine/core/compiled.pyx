# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: binding=False, auto_pickle=False
"""The compiled part of the engine: one module, made of the files that it includes, each built on those above.

One module, because what is inlined and what every module needs is then compiled once.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, ldexpf, nextafterf
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport abs, calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from deptrees.messages import TooLarge, listed, quoted
from deptrees.threads import end_if_asked

# What everything stands on
include "arrays.pxi"
include "signals.pxi"
include "../../treebanks/heads.pxi"
include "bits.pxi"
include "random.pxi"

# A system, the state of parsing, and how the one acts on the other
include "system/system_code.pxi"
include "system/state.pxi"
include "system/interpreter.pxi"

# What a gold tree says
include "gold/lost_arcs.pxi"
include "gold/tabular_losses.pxi"
include "gold/arc_standard_losses.pxi"

# What a model sees, and what it has learned
include "model/hashing.pxi"
include "model/quantized.pxi"
include "model/quantizing.pxi"
include "model/weight_tables.pxi"
include "model/features.pxi"
include "model/unrolled_templates.pxi"
include "model/extraction.pxi"
include "model/weights.pxi"

# Work on the sentences of a treebank
include "work/workspace.pxi"
include "work/oracles.pxi"
include "work/scoring.pxi"
include "work/derivations.pxi"
include "work/learning.pxi"
include "work/differences.pxi"
include "work/results.pxi"
include "work/greedy.pxi"
include "work/score_cache.pxi"
include "work/decoding.pxi"
include "work/global_learning.pxi"
include "work/lock_step.pxi"

# The same features and weights for what only the functional layer runs
include "work/stepwise_scorer.pxi"
