"""The names of parts of model files, each with the version of how it is written."""

from __future__ import annotations

__all__ = [
    "ARC_VOTES",
    "ENHANCER",
    "GENERATIVE",
    "LINEAR",
    "MODELS",
    "NEURAL",
    "STEPWISE",
    "TAGGER",
    "TOKENIZER",
    "TRANSITION_VOTES",
]

LINEAR = "deptrees engine model 4"
STEPWISE = "deptrees stepwise model 6"
NEURAL = "deptrees neural model 7"
ARC_VOTES = "deptrees votes on arcs 1"
TRANSITION_VOTES = "deptrees votes on transitions 1"
GENERATIVE = "deptrees generative model 1"
TAGGER = "deptrees tagger 5"
TOKENIZER = "deptrees tokenizer 3"
ENHANCER = "deptrees enhancer 1"

MODELS = {
    LINEAR: "deptrees.engine.model:Model",
    STEPWISE: "deptrees.engine.stepwise.model:StepwiseModel",
    NEURAL: "deptrees.torch.model:NeuralModel",
    ARC_VOTES: "deptrees.voting:Ensemble",
    TRANSITION_VOTES: "deptrees.voting:TransitionEnsemble",
}
"""The classes of models by the names of their parts: only the one that is in a file is imported."""
