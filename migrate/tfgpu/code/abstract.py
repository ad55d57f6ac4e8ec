"""Methods that only say that other classes have them: abstract ones."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tfgpu.code.index import Binding
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree


def is_abstract(
    bindings: Sequence[Binding], line: Iterable[ast.ClassDef], tree: Tree, symbols: Symbols
) -> bool:
    """Tell whether what binds a name in a class is a method that does nothing for any object.

    It raises NotImplementedError, or `abc` makes no object that has it; `line` is the class with
    all that it inherits from.
    """
    method = bindings[0].node if len(bindings) == 1 else None
    if not isinstance(method, ast.FunctionDef):
        return False
    return _only_raises(method, tree) or (
        [symbols.name(item) for item in method.decorator_list] == ["abc.abstractmethod"]
        and any(
            symbols.name(base) in ("abc.ABC", "abc.ABCMeta")
            for item in line
            for base in (*item.bases, *(keyword.value for keyword in item.keywords))
        )
    )


def _only_raises(method: ast.FunctionDef, tree: Tree) -> bool:
    is_told = ast.get_docstring(method, clean=False) is not None
    body = method.body[1:] if is_told else method.body
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    made = raised.func if isinstance(raised, ast.Call) else raised
    if raised is None or made is None or tree.builtin(made) != "NotImplementedError":
        return False
    calls = (item for item in ast.walk(raised) if isinstance(item, ast.Call))
    return all(call is raised or tree.builtin(call.func) == "type" for call in calls)
