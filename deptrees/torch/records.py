"""Encoders, decoders and vocabularies as JSON can say them, and back."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from cattrs import Converter, override
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from deptrees.files.models import ModelError
from deptrees.files.records import registers_fields
from deptrees.messages import quoted
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.exact import ExactTransitions
from deptrees.torch.parts import Decoder, Encoder
from deptrees.torch.transformer import Transformer
from deptrees.torch.transitions import LabeledTransitions, Transitions
from deptrees.torch.vocabulary import Vocabulary
from deptrees.torch.words import Joined, Words

__all__: list[str] = []


def _register(converter: Converter, base: type, *kinds: type) -> None:
    """Have the converter write of which kind a part of a network is, and read it: one of these, with its fields."""
    by_name = {kind.__name__: kind for kind in kinds}

    def write(value: attrs.AttrsInstance) -> dict[str, object]:
        if type(value) not in kinds:
            raise ModelError(f"{type(value).__name__} is not one of the library's networks: it cannot be saved")
        fields = attrs.asdict(value, recurse=False)
        return {"name": type(value).__name__, **{name: converter.unstructure(field) for name, field in fields.items()}}

    def read(record: object, _: object) -> object:
        fields = dict(record) if isinstance(record, Mapping) else {}
        name = fields.pop("name", None)
        if name not in by_name:
            raise ValueError(f"expected the name {' or '.join(by_name)}, not {quoted(name)}")
        return converter.structure(fields, by_name[name])

    converter.register_unstructure_hook_func(lambda kind: isinstance(kind, type) and issubclass(kind, base), write)
    converter.register_structure_hook_func(lambda kind: kind is base, read)


@registers_fields
def _fields(converter: Converter) -> None:
    _register(converter, Encoder, BiLSTM, Joined, Transformer, Words)
    _register(converter, Decoder, ExactTransitions, LabeledTransitions, Transitions)
    # The embeddings, with their vectors, are an array of the file.
    converter.register_unstructure_hook(
        Vocabulary, make_dict_unstructure_fn(Vocabulary, converter, embeddings=override(omit=True))
    )
    converter.register_structure_hook(
        Vocabulary, make_dict_structure_fn(Vocabulary, converter, embeddings=override(omit=True))
    )
