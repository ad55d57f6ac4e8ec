"""What unittest runs of a test case: `setUp` of an object, then one of its tests, and nothing else.

https://docs.python.org/3/library/unittest.html#organizing-test-code
"""

from __future__ import annotations

import ast

from tfgpu.code.canonical import canonical
from tfgpu.code.sites import home_of
from tfgpu.flow.collect import Analysis

# What is run before a test, with its decorators.
_FIRST: dict[str, list[str]] = {"setUp": [], "setUpClass": ["classmethod"]}
_CASES = frozenset(["unittest.TestCase", "unittest.case.TestCase", "tf.test.TestCase"])
# What calls a test by a text: builtins, and what is read as an attribute.
_FINDERS = frozenset(["getattr", "vars", "eval", "exec"])
_READ = frozenset(["__dict__", "methodcaller", "attrgetter"])
_MOST = 20


def is_set_up(method: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a function is what unittest runs before each test of a class."""
    owner = analysis.tree.parent.get(method)
    if not isinstance(method, ast.FunctionDef) or not isinstance(owner, ast.ClassDef):
        return False
    decorators = [analysis.tree.builtin(item) for item in method.decorator_list]
    return decorators == _FIRST.get(method.name) and _is_test_case(owner, analysis)


def _is_test_case(owner: ast.ClassDef, analysis: Analysis) -> bool:
    classes = analysis.callees.classes
    return classes.is_known(owner, _CASES) and any(
        not _CASES.isdisjoint(map(canonical, analysis.symbols.paths(base)))
        for item in classes.line(owner)
        for base in item.bases
    )


def is_run_by_tests(node: ast.AST, set_up: ast.AST, analysis: Analysis) -> bool:
    """Tell whether nothing runs a node but tests of the class of a `setUp`, and what they call."""
    tree, classes = analysis.tree, analysis.callees.classes
    if not (_FINDERS.isdisjoint(tree.names) and _READ.isdisjoint({*tree.names, *tree.attributes})):
        return False
    owner = tree.parent[set_up]
    seen: set[ast.AST] = set()
    waiting = [home_of(node, tree)]
    while waiting:
        method = waiting.pop()
        if method in seen or method is set_up:
            continue
        seen.add(method)
        around = tree.parent.get(method)
        if not isinstance(method, ast.FunctionDef) or not isinstance(around, ast.ClassDef):
            return False
        if owner not in classes.line(around) or len(seen) > _MOST:
            return False
        uses = tree.attributes.get(method.name, ())
        is_test = method.name.startswith("test") or method.name == "tearDown"
        if method.decorator_list or method.name in tree.texts or not (uses or is_test):
            return False
        for use in uses:
            call = tree.parent[use]
            if not (isinstance(call, ast.Call) and call.func is use and _is_own(use, analysis)):
                return False
            waiting.append(home_of(call, tree))
    return True


def _is_own(use: ast.Attribute, analysis: Analysis) -> bool:
    return (
        isinstance(use.value, ast.Name) and analysis.callees.classes.of_self(use.value) is not None
    )
