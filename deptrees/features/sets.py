"""Sets of feature templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from deptrees.features.language import CLUSTER, Attribute, Template, TemplateError
from deptrees.features.values import Value, View, text_hash, value_hash
from deptrees.transition.configuration import Configuration

__all__ = ["Templates"]

_ALL_BITS = (1 << 64) - 1


def _read_all(templates: Iterable[Template | str]) -> tuple[Template, ...]:
    return tuple([Template.read(template) if isinstance(template, str) else template for template in templates])


def _copy(clusters: Mapping[str, str]) -> dict[str, str]:
    return dict(clusters)


def _twin(template: Template) -> Template:
    """The template with clusters in the place of forms."""
    return Template(
        tuple(
            Attribute(part.node, CLUSTER) if isinstance(part, Attribute) and part.name == "form" else part
            for part in template.parts
        )
    )


@attrs.frozen(repr=False)
class Templates:
    """A set of feature templates.

    Args:
        templates: the templates; texts are read.
        clusters: the cluster of each form, for templates that look at clusters. A form is looked up as it is written,
            and if it is not there, in lower case.

    Raises:
        TemplateError: a text is not a template, or one looks at clusters and there are none.
        TypeError: a form or a cluster is not a text.

    >>> from deptrees.transition import ArcEager
    >>> templates = Templates(["s0.form+b0.form", "b0.left_valency", "b2.form"])
    >>> templates.values(ArcEager().initial(["Birds", "sing"]))
    [('ROOT', 'Birds'), (0,), (None,)]
    >>> Templates(["b0.cluster", "b1.cluster"], {"birds": "7"}).values(ArcEager().initial(["Birds", "sing"]))
    [('7',), ('_',)]
    """

    templates: tuple[Template, ...] = attrs.field(converter=_read_all)
    clusters: Mapping[str, str] = attrs.field(
        factory=dict,
        converter=_copy,
        hash=False,
        validator=attrs.validators.deep_mapping(attrs.validators.instance_of(str), attrs.validators.instance_of(str)),
    )

    def __attrs_post_init__(self) -> None:
        asking = [str(template) for template in self.templates if CLUSTER in template.names]
        if asking and not self.clusters:
            raise TemplateError(f"the template {asking[0]!r} looks at clusters, and there are none: give some")

    def with_clusters(self, clusters: Mapping[str, str]) -> Templates:
        """The same templates, and for each that looks at forms its twin, which looks at clusters in their place.

        So Koo, Carreras & Collins 2008 (section 3.2) use the clusters of Brown et al. 1992.
        `deptrees.features.embeddings.clusters` makes some from embeddings, as Guo et al. 2014 do.

        Args:
            clusters: the cluster of each form.

        >>> [str(template) for template in Templates(["s0.form+b0.upos", "b0.upos"]).with_clusters({"birds": "7"})]
        ['s0.form+b0.upos', 'b0.upos', 's0.cluster+b0.upos']
        """
        return Templates(dict.fromkeys([*self, *map(_twin, self)]), clusters)

    def values(self, cfg: Configuration, *, k: int = 1) -> list[tuple[Value, ...]]:
        """The values of each template in a configuration.

        Args:
            cfg: the configuration, of any system: s0, s1, ... and b0, b1, ... are its ``neighbours``.
            k: from where to look: the place where transitions with this k work, if that depends on k.
        """
        view = View(cfg, k, self.clusters)
        return [tuple([view(part) for part in template.parts]) for template in self.templates]

    def hashes(self, cfg: Configuration, *, k: int = 1) -> list[int]:
        """The features of a configuration, each as a number of 64 bits; see ``values``."""
        features = []
        for template, values in zip(self.templates, self.values(cfg, k=k), strict=True):
            feature = text_hash(str(template))
            for value in values:
                feature = (feature ^ value_hash(value)) * 0x9E3779B97F4A7C15 & _ALL_BITS
                feature ^= feature >> 29
            features.append(feature)
        return features

    def __repr__(self) -> str:
        clusters = f", {len(self.clusters)} clusters" if self.clusters else ""
        return f"Templates({len(self)} templates{clusters})"

    def __len__(self) -> int:
        return len(self.templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self.templates)
