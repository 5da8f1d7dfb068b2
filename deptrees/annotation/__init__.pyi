from .actions import Accept, Action, Dismiss, Reopen, SetColumn, SetHead, SetLabel
from .document import Document
from .findings import Finding, findings_in
from .helper import Helper, Proposal
from .sentences import ActionError, AnnotatedSentence
from .words import Join, Split

__all__ = [
    "Accept",
    "Action",
    "ActionError",
    "AnnotatedSentence",
    "Dismiss",
    "Document",
    "Finding",
    "Helper",
    "Join",
    "Proposal",
    "Reopen",
    "SetColumn",
    "SetHead",
    "SetLabel",
    "Split",
    "findings_in",
]
