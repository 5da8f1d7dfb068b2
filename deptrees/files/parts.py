"""The names of parts of model files, each with the version of how it is written.

A version of the library refuses files with parts whose names it does not know: it would leave out what they mean.
"""

from __future__ import annotations

__all__ = [
    "ARC_VOTES",
    "CALIBRATION",
    "CHECKPOINT",
    "ENHANCER",
    "GENERATIVE",
    "KNOWN_TAGS",
    "LINEAR",
    "LINEAR_SETTINGS",
    "MODELS",
    "NAMES",
    "NEURAL",
    "SETTINGS",
    "STEPWISE",
    "TAGGER",
    "TOKENIZER",
    "TRAINING",
    "TRANSITION_VOTES",
]

LINEAR = "deptrees engine model 4"
STEPWISE = "deptrees stepwise model 6"
NEURAL = "deptrees neural model 7"
ARC_VOTES = "deptrees votes on arcs 1"
TRANSITION_VOTES = "deptrees votes on transitions 1"
GENERATIVE = "deptrees generative model 1"
TAGGER = "deptrees tagger 6"
TOKENIZER = "deptrees tokenizer 3"
ENHANCER = "deptrees enhancer 2"
CALIBRATION = "deptrees calibration 2"
KNOWN_TAGS = "deptrees known tags 2"
SETTINGS = "deptrees settings 3"
LINEAR_SETTINGS = "deptrees linear settings 3"
TRAINING = "deptrees training 1"
CHECKPOINT = "deptrees checkpoint 2"

MODELS = {
    LINEAR: "deptrees.engine.model:Model",
    STEPWISE: "deptrees.engine.stepwise.model:StepwiseModel",
    NEURAL: "deptrees.torch.model:NeuralModel",
    ARC_VOTES: "deptrees.voting:Ensemble",
    TRANSITION_VOTES: "deptrees.voting:TransitionEnsemble",
}
"""The classes of models by the names of their parts: only the one that is in a file is imported."""

NAMES = frozenset(
    {*MODELS, GENERATIVE, TAGGER, TOKENIZER, ENHANCER, CALIBRATION, KNOWN_TAGS, SETTINGS, LINEAR_SETTINGS}
    | {TRAINING, CHECKPOINT}
)
"""All that this version reads."""
