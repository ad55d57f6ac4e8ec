"""The text of a file as a module of libcst that gives it back."""

from __future__ import annotations

import libcst as cst

from tfgpu.rewrite.calls import LocateError
from tfgpu.rewrite.whitespace import line_end, parts


def parsed(text: str) -> tuple[cst.Module, str]:
    """Return libcst's tree of a text, and the end of the text if that is not in it.

    New lines will end as most lines of the text do.

    Raises:
        LocateError: libcst does not give the text back.
    """
    for body, end in parts(text):
        module = cst.parse_module(body)
        if module.code == body:
            return _ending(module, line_end(text)), end
    raise LocateError("libcst does not give the text of the file back")


def _ending(module: cst.Module, newline: str) -> cst.Module:
    """Return a module whose new lines will end so; those that are there stay."""
    if module.default_newline == newline:
        return module
    # They end as the first one does, unless they say otherwise.
    told = module.visit(_LineEnds(module.default_newline))
    assert isinstance(told, cst.Module)
    return told.with_changes(default_newline=newline)


class _LineEnds(cst.CSTTransformer):
    """Has each line end say what it is."""

    def __init__(self, newline: str) -> None:
        super().__init__()
        self._newline = newline

    def leave_Newline(self, original_node: cst.Newline, updated_node: cst.Newline) -> cst.Newline:
        """Keep what the line ends with."""
        value = self._newline if original_node.value is None else original_node.value
        return updated_node.with_changes(value=value)
