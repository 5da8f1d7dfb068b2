"""PyTorch as it is by default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch

__all__ = ["pytorch_defaults"]


@contextmanager
def pytorch_defaults() -> Iterator[None]:
    """Within this context PyTorch works as by default, whatever the program around it has set.

    That is what training, loading and parsing do: elsewhere ``no_grad`` and ``inference_mode`` keep networks from
    learning, and autocast, another type of numbers or another device give other networks, which cannot be saved.

    >>> with torch.inference_mode(), torch.device("meta"), pytorch_defaults():
    ...     torch.zeros(1).device.type, torch.is_grad_enabled()
    ('cpu', True)
    """
    with ExitStack() as entered:
        for context in (torch.inference_mode(False), torch.enable_grad()):
            entered.enter_context(context)
        for device in ("cpu", "cuda"):
            if torch.is_autocast_enabled(device):
                entered.enter_context(torch.autocast(device, enabled=False))
        if torch.get_default_device().type != "cpu":  # the context slows all calls down
            entered.enter_context(torch.device("cpu"))
        if (kind := torch.get_default_dtype()) != torch.float32:
            torch.set_default_dtype(torch.float32)
            entered.callback(torch.set_default_dtype, kind)
        yield
