"""Configs of transformers, checked before Hugging Face's library reads them.

To the library a config is more than sizes: it can name code to run and folders to load, and ask for any memory. Here
it has the sizes and choices of known encoders, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from deptrees.files.limits import LAYERS, SIZE
from deptrees.messages import quoted
from deptrees.training.declarations import FLAG, Check, Kind, OneOf, Whole

__all__ = ["checked_config"]

_TYPES = (
    *("albert", "bert", "camembert", "deberta", "deberta-v2", "distilbert", "electra", "modernbert", "mpnet"),
    *("roberta", "xlm-roberta"),
)
_MOST_PIECES = 1 << 22
_MOST_POSITIONS = 1 << 15
_FASTEST_TURN = 1e9


def _number(most: float) -> Check:
    def check(name: str, value: float) -> None:
        Kind(int | float, "a number")(name, value)
        if not 0 <= value <= most:
            raise ValueError(f"{name} is a number from 0 to {most:g}, not {quoted(value)}")

    return check


def _all_of(*names: str) -> Check:
    def check(name: str, values: list[object]) -> None:
        Kind(list, "a list")(name, values)
        if len(values) > LAYERS:
            raise ValueError(f"{name} has {len(values)} names: {LAYERS} are the most")
        for value in values:
            OneOf(names)(name, value)

    return check


def _turns(name: str, value: Any) -> None:
    """Check how fast the angles turn by which positions are told."""
    for of, angles in value.items():
        OneOf(_ATTENTION)(name, of)
        OneOf(("default",))(f"{name}.rope_type", angles["rope_type"])
        _number(_FASTEST_TURN)(f"{name}.rope_theta", angles["rope_theta"])
        if len(angles) > 2:
            raise ValueError(f"{name} is {quoted(angles)}")


_ATTENTION = ("full_attention", "sliding_attention")
_ACTIVATION = OneOf(("gelu", "gelu_fast", "gelu_new", "gelu_pytorch_tanh", "mish", "relu", "silu", "swish", "tanh"))
_CHECKS: Mapping[str, Check] = {
    name: check
    for check, names in (
        (OneOf(_TYPES), "model_type"),
        (Whole(1, _MOST_PIECES), "vocab_size"),
        (Whole(0, _MOST_PIECES), "pad_token_id"),
        (Whole(1, _MOST_POSITIONS), "max_position_embeddings local_attention relative_attention_num_buckets"),
        (Whole(-1, _MOST_POSITIONS), "max_relative_positions position_buckets"),
        (Whole(1, LAYERS), "num_hidden_layers n_layers num_hidden_groups inner_group_num"),
        (Whole(1, SIZE), "hidden_size intermediate_size embedding_size dim hidden_dim num_attention_heads n_heads"),
        (Whole(0, SIZE), "type_vocab_size attention_head_size conv_kernel_size conv_groups"),
        (_number(1), "hidden_dropout_prob attention_probs_dropout_prob dropout attention_dropout embedding_dropout"),
        (_number(1), "mlp_dropout layer_norm_eps norm_eps"),
        (FLAG, "relative_attention position_biased_input share_att_key legacy norm_bias attention_bias mlp_bias"),
        (_ACTIVATION, "hidden_act activation hidden_activation conv_act"),
        (OneOf(("none", "layer_norm")), "norm_rel_ebd"),
        (_all_of("c2p", "p2c", "p2p"), "pos_att_type"),
        (_all_of(*_ATTENTION), "layer_types"),
        (_turns, "rope_parameters"),
    )
    for name in names.split()
}
"""What each key can be."""


def checked_config(text: str) -> str:
    """What is known of a config, as JSON.

    Raises:
        ValueError: it is not a config, not that of a known encoder, or too large.

    >>> checked_config('{"model_type": "bert", "hidden_size": 8, "auto_map": {"AutoModel": "theirs--code.Model"}}')
    '{"model_type": "bert", "hidden_size": 8}'
    """
    config = json.loads(text)
    kept = {name: config[name] for name in _CHECKS if config.get(name) is not None}
    for name, value in kept.items():
        _CHECKS[name](name, value)
    return json.dumps({"model_type": config["model_type"], **kept})
