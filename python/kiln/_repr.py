# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of decorated functions at a prompt or in a notebook."""

from __future__ import annotations

import os

from . import _types

_SHOWN = 3  # signatures


def type_text(type_) -> str:
    """A type as signatures write it: ``float32[:, ::1]``."""
    if not isinstance(type_, _types.Array):
        return str(type_)
    axes = [":"] * type_.ndim
    if type_.ndim and type_.layout in "CF":
        axes[-1 if type_.layout == "C" else 0] = "::1"
    return f"{type_text(type_.dtype)}[{', '.join(axes)}]"


def _signature_text(signature) -> str:
    if isinstance(signature, str):
        return signature
    result = f"{type_text(signature.return_type)}" if isinstance(signature, _types.Signature) else ""
    return f"{result}({', '.join(map(type_text, _types.arguments_of(signature)))})"


def describe(kind: str, function, signatures=()) -> str:
    """``<kiln.cuda KIND NAME at FILE:LINE: 2 signatures (float32[:], int64), (float32[:], float32)>``."""
    code = function.__code__
    text = f"kiln.cuda {kind} {function.__qualname__} at {os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    signatures = list(signatures)
    if not signatures:
        return f"<{text}>"
    shown = [_signature_text(signature) for signature in signatures[:_SHOWN]]
    shown += ["..."] * (len(signatures) > _SHOWN)
    return f"<{text}: {len(signatures)} signature{'s' * (len(signatures) > 1)} {', '.join(shown)}>"
