"""What unittest runs of a test case: `setUp` of an object, then one of its tests, and nothing else.

https://docs.python.org/3/library/unittest.html#organizing-test-code
pytest does so with classes of tests that have no base:
https://docs.pytest.org/en/stable/how-to/xunit_setup.html
"""

from __future__ import annotations

import ast

from tfgpu.code.canonical import canonical
from tfgpu.code.sites import home_of
from tfgpu.code.tree import Tree
from tfgpu.flow.collect import Analysis

# What is run before a test, with its decorators.
_FIRST: dict[str, list[str]] = {"setUp": [], "setUpClass": ["classmethod"]}
_FIRST_OF_PYTEST: dict[str, list[str]] = {"setup_method": [], "setup_class": ["classmethod"]}
# What is run behind the tests, if what is run before them came to its end; with its decorators.
_LAST: dict[str, list[str]] = {
    "tearDown": [],
    "teardown_method": [],
    "tearDownClass": ["classmethod"],
    "teardown_class": ["classmethod"],
}
_CASES = frozenset(
    [
        "unittest.TestCase", "unittest.case.TestCase", "tf.test.TestCase",
        "absl.testing.absltest.TestCase", "absl.testing.parameterized.TestCase",
    ]
)  # fmt: skip
# Decorators of a test that leave it as it is, or out.
_MARKS = frozenset(
    [
        f"{module}.{name}"
        for module in ("unittest", "unittest.case", "absl.testing.absltest")
        for name in ("skip", "skipIf", "skipUnless", "expectedFailure")
    ]
)
_MARKS_OF_PYTEST = "pytest.mark."
# What calls a test by a text: builtins, and what is read as an attribute.
_FINDERS = frozenset(["getattr", "vars", "eval", "exec"])
_READ = frozenset(["__dict__", "methodcaller", "attrgetter"])
_MOST = 20


def is_set_up(method: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a function is what unittest runs before each test of a class."""
    tree = analysis.tree
    owner = tree.parent.get(method)
    if not isinstance(method, ast.FunctionDef) or not isinstance(owner, ast.ClassDef):
        return False
    if method.name in tree.set_attributes or method.name in tree.texts:
        return False  # Something may put another one in its place.
    decorators = [tree.builtin(item) for item in method.decorator_list]
    if method.name in _FIRST_OF_PYTEST:
        is_found = owner.name.startswith("Test") and not owner.decorator_list
        return is_found and decorators == _FIRST_OF_PYTEST[method.name] and _is_bare(owner, tree)
    return decorators == _FIRST.get(method.name) and _is_test_case(owner, analysis)


def _is_bare(owner: ast.ClassDef, tree: Tree) -> bool:
    return not owner.keywords and all(tree.builtin(base) == "object" for base in owner.bases)


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
        is_test = method.name.startswith("test") or method.name in _LAST
        if not _is_marked(method, analysis) or method.name in tree.texts or not (uses or is_test):
            return False
        for use in uses:
            call = tree.parent[use]
            if not (isinstance(call, ast.Call) and call.func is use and _is_own(use, analysis)):
                return False
            waiting.append(home_of(call, tree))
    return True


def _is_marked(method: ast.FunctionDef, analysis: Analysis) -> bool:
    """Tell whether the decorators of a method leave it to the tests, as it is written."""
    tree, symbols = analysis.tree, analysis.symbols
    if [tree.builtin(item) for item in method.decorator_list] == _LAST.get(method.name, []):
        return True
    marks = [it.func if isinstance(it, ast.Call) else it for it in method.decorator_list]
    names = [symbols.name(it) or "" for it in marks]
    return all(it in _MARKS or it.startswith(_MARKS_OF_PYTEST) for it in names)


def _is_own(use: ast.Attribute, analysis: Analysis) -> bool:
    return (
        isinstance(use.value, ast.Name) and analysis.callees.classes.of_self(use.value) is not None
    )
