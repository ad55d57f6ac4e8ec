"""From the text of a file to Python's syntax tree."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache


@lru_cache(maxsize=2048)
def parse(text: str) -> ast.Module:
    """Parse Python source.

    Raises:
        SyntaxError: the text is not Python 3, or too deeply nested; a NUL byte is one too.
    """
    if (at := text.find("\0")) >= 0:  # versions of Python differ in the error, and name no line
        place = (None, text.count("\n", 0, at) + 1, None, None)
        raise SyntaxError("a NUL byte, which no source code has", place)
    with warnings.catch_warnings():
        # Invalid escapes in strings are the user's, and no news here.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("too deeply nested to be parsed") from error
        except ValueError as error:
            raise SyntaxError(str(error)) from error
