"""A tagger: averaged perceptrons that read from left to right (Collins 2002), one per column, on the compiled core.

It looks at features, each made of one or more parts joined by ``+``. A part is a property of a word, with the distance
of that word in brackets, as in ``lower[-1]+lower``:

============================== ======================================================================================
``form``, ``lower``            the word as it is written; in lower case
``suffix1``-``8``              its last characters in lower case, ``prefix1``-``8`` its first ones
``shape``                      which characters are large or small letters, digits, or others: ``Xx``, ``00-xx``
``known``                      the tags that it has in the treebank; in training, those that it has elsewhere in it
``upos``, ``xpos``, ``feats``  the tag that it has been given; in the column that is filled in, if it stands before
============================== ======================================================================================

Frequent words that have always, or nearly always, the same tag are looked up in a dictionary (Aufrant & Wisniewski,
PanParser, section 4.9). Lemmas come last, by rules that are counted (`deptrees.tagger.lemmatizer`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
