"""Sets of feature templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.features.language import CLUSTER, EMBEDDING, Attribute, Part, Template, TemplateError
from deptrees.features.values import Value, View, value_hash
from deptrees.files.records import registers_fields
from deptrees.transition.configuration import Configuration
from deptrees.treebanks.hashes import text_hash
from deptrees.trees.token import canonical

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = ["Templates"]

_ALL_BITS = (1 << 64) - 1


def _read_all(templates: Iterable[Template | str]) -> tuple[Template, ...]:
    return tuple([Template.read(template) if isinstance(template, str) else template for template in templates])


def _copy(clusters: Mapping[str, str]) -> dict[str, str]:
    return {canonical(form): cluster for form, cluster in dict(clusters).items()}


def _twin(template: Template) -> Template:
    """The template with clusters in the place of forms."""
    return Template(
        tuple(
            Attribute(part.node, CLUSTER) if isinstance(part, Attribute) and part.name == "form" else part
            for part in template.parts
        )
    )


def _hash(template: int, values: Iterable[int]) -> int:
    """A number of 64 bits for a template and what its parts see, which are numbers themselves."""
    feature = template
    for value in values:
        feature = (feature ^ value) * 0x9E3779B97F4A7C15 & _ALL_BITS
        feature ^= feature >> 29
    return feature


@attrs.frozen(repr=False)
class Templates:
    """A set of feature templates.

    Args:
        templates: the templates; texts are read.
        clusters: the cluster of each form, for templates that look at clusters. A form is looked up as written and, if
            that is not found, in lower case.
        embeddings: the vector of each form, for templates that look at embeddings; looked up in the same way.

    Raises:
        TemplateError: a text is not a template, or looks at clusters or embeddings that are missing.
        TypeError: a form or a cluster is not a text.

    >>> from deptrees.transition import ArcEager
    >>> templates = Templates(["s0.form+b0.form", "b0.left_valency", "b2.form"])
    >>> templates.values(ArcEager().initial(["Birds", "sing"]))
    [('ROOT', 'Birds'), (0,), (None,)]
    >>> Templates(["b0.cluster", "b1.cluster"], {"birds": "7"}).values(ArcEager().initial(["Birds", "sing"]))
    [('7',), ('_',)]
    >>> Templates(["b0.upos", "b0.embedding"], embeddings=Embeddings(["birds"], [[0.5, 1]]))
    Templates(2 templates, embeddings of 1 words)
    """

    templates: tuple[Template, ...] = attrs.field(converter=_read_all)
    clusters: Mapping[str, str] = attrs.field(
        factory=dict,
        converter=_copy,
        hash=False,
        validator=attrs.validators.deep_mapping(attrs.validators.instance_of(str), attrs.validators.instance_of(str)),
    )

    embeddings: Embeddings = attrs.field(
        default=NO_EMBEDDINGS, hash=False, kw_only=True, validator=attrs.validators.instance_of(Embeddings)
    )

    def __attrs_post_init__(self) -> None:
        for name, given in (CLUSTER, self.clusters), (EMBEDDING, self.embeddings):
            asking = [str(template) for template in self.templates if name in template.names]
            if asking and not given:
                raise TemplateError(f"the template {asking[0]!r} looks at {name}s, and there are none: give some")

    @cached_property
    def plain(self) -> Templates:
        """The templates whose features are present or absent."""
        return attrs.evolve(self, templates=[template for template in self if template.numbers is None])

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        """All that the plain templates look at: many look at the same."""
        return tuple(dict.fromkeys([part for template in self.plain for part in template.parts]))

    @cached_property
    def _codes(self) -> list[tuple[int, list[int]]]:
        """The number of each plain template, and the places of its parts among all parts."""
        places = {part: place for place, part in enumerate(self._parts)}
        return [(text_hash(str(template)), [places[part] for part in template.parts]) for template in self.plain]

    @property
    def numeric(self) -> tuple[Template, ...]:
        """The templates with numbers, whose features have a value."""
        return tuple([template for template in self if template.numbers is not None])

    @property
    def lookahead(self) -> int:
        """How many words after b0 they may see, in systems that read words from left to right."""
        return max([template.lookahead for template in self], default=0)

    def within(self, lookahead: int) -> Templates:
        """Those that see no more than so many words after b0.

        >>> templates = Templates(["s0.form+b0.form", "b1.form", "b2.form"])
        >>> templates.lookahead, [str(template) for template in templates.within(1)]
        (2, ['s0.form+b0.form', 'b1.form'])
        """
        return attrs.evolve(self, templates=[template for template in self if template.lookahead <= lookahead])

    def with_clusters(self, clusters: Mapping[str, str]) -> Templates:
        """The same templates and, for each that looks at forms, a twin that looks at clusters instead.

        This is how Koo, Carreras & Collins 2008 (section 3.2) use the clusters of Brown et al. 1992.
        `deptrees.features.clusters.clusters` makes clusters from embeddings, like Guo et al. 2014.

        Args:
            clusters: the cluster of each form.

        >>> [str(template) for template in Templates(["s0.form+b0.upos", "b0.upos"]).with_clusters({"birds": "7"})]
        ['s0.form+b0.upos', 'b0.upos', 's0.cluster+b0.upos']
        """
        return Templates(dict.fromkeys([*self, *map(_twin, self)]), clusters, embeddings=self.embeddings)

    def values(self, cfg: Configuration, *, k: int = 1) -> list[tuple[Value, ...]]:
        """The values of each template in a configuration; for templates with numbers, see ``numbers``.

        Args:
            cfg: the configuration, of any system: s0, s1, ... and b0, b1, ... are its ``neighbors``.
            k: from where to look: the place where transitions with this k work, if that depends on k.

        >>> from deptrees.transition import ArcHybrid, Shift
        >>> templates = Templates(["s0.form", "s0.form+b0.form"])
        >>> templates.values(Shift()(ArcHybrid().initial(["Birds", "sing"])))
        [('Birds',), ('Birds', 'sing')]
        """
        seen = [*map(View(cfg, k, self.clusters), self._parts)]
        return [tuple([seen[place] for place in places]) for _, places in self._codes]

    def hashes(self, cfg: Configuration, *, k: int = 1) -> list[int]:
        """The features of a configuration as 64-bit numbers; see ``values``."""
        seen = [value_hash(value) for value in map(View(cfg, k, self.clusters), self._parts)]
        return [_hash(template, [seen[place] for place in places]) for template, places in self._codes]

    def numbers(self, cfg: Configuration, *, k: int = 1) -> list[tuple[int, npt.NDArray[np.float32]]]:
        """The features of templates with numbers in a configuration; see ``values``.

        Returns:
            For each template, the feature that its other parts make, as a 64-bit number, and the numbers.

        >>> from deptrees.transition import ArcEager
        >>> templates = Templates(["s0.form", "b0.embedding+s0.upos"], embeddings=Embeddings(["birds"], [[0.5, 1]]))
        >>> [(_, numbers)] = templates.numbers(ArcEager().initial(["Birds", "sing"]))
        >>> numbers
        array([0.5, 1. ], dtype=float32)
        """
        view, found = View(cfg, k, self.clusters, self.embeddings), []
        for template in self.numeric:
            others = [value_hash(view(part)) for part in template.parts if part is not template.numbers]
            assert template.numbers is not None
            found.append((_hash(text_hash(str(template)), others), view.numbers(template.numbers)))
        return found

    def __repr__(self) -> str:
        clusters = f", {len(self.clusters)} clusters" if self.clusters else ""
        embeddings = f", embeddings of {len(self.embeddings)} words" if self.embeddings else ""
        return f"Templates({len(self)} templates{clusters}{embeddings})"

    def __len__(self) -> int:
        return len(self.templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self.templates)


def _embeddings_record(embeddings: Embeddings) -> dict[str, object]:
    """Embeddings as JSON can say them; their numbers are an array of the file."""
    return {"words": [*embeddings.words], "size": embeddings.size, "checksum": crc32(embeddings.vectors.tobytes())}


def _known_embeddings(record: object, _: object) -> Embeddings:
    if not isinstance(record, Embeddings):
        raise TypeError("expected embeddings, whose numbers are an array of the file")
    return record


@registers_fields
def _fields(converter: Converter) -> None:
    from cattrs.gen import make_dict_unstructure_fn, override

    converter.register_unstructure_hook(Template, str)
    converter.register_structure_hook(Template, lambda text, _: Template.read(text))
    converter.register_unstructure_hook(Embeddings, _embeddings_record)
    converter.register_structure_hook(Embeddings, _known_embeddings)
    converter.register_unstructure_hook(
        Templates, make_dict_unstructure_fn(Templates, converter, embeddings=override(omit_if_default=True))
    )
