"""Which code is plain Python, that does only what its names say; and what in a program is not.

The analysis follows names: who calls a function, what a module does. Python has no end of ways
around them: texts that are run, registries of classes, annotations, the names of a frame, hooks of
the interpreter. So what is plain is listed, `rules/names/plain.txt` for what is imported, and in a
process that has anything else any function may run at any time, and any code that is not read.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Set
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.classes import Classes
from tfgpu.code.dotted import base_of
from tfgpu.code.held import PYTHON
from tfgpu.code.imported import Names
from tfgpu.code.prefixes import beginning_of
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.rulebook.plain import PlainNames

# Names with such underscores that say something of a module, function or class.
_SAYING = frozenset(
    ["__name__", "__doc__", "__version__", "__file__", "__qualname__", "__module__", "__debug__"]
)
# They ask an object for a name: plain where that is written there.
_ASKING = frozenset(["getattr", "setattr", "delattr"])
# The usual names of the options of a program: an object with values, and no functions.
_OPTIONS = frozenset(["flags", "args", "opts", "opt", "options", "hparams", "namespace"])
_LOOKING = (ast.Compare, ast.FormattedValue, ast.BinOp)
_SHOWING = frozenset(["print", "str", "repr", "isinstance", "issubclass"])
# Attributes of frames, functions and classes that lead to what no name leads to.
_INNER = frozenset(
    [
        "f_globals", "f_locals", "f_builtins", "f_back", "tb_frame", "gi_frame", "cr_frame",
        "ag_frame", "cell_contents", "func_globals", "func_closure", "func_code", "im_func", "mro",
    ]
)  # fmt: skip
# Special methods of objects, which Python calls for what is written: an operator, a loop, a call.
_FOLLOWED = frozenset(
    [
        "__init__", "__call__", "__enter__", "__exit__", "__del__", "__repr__", "__str__",
        "__bytes__", "__format__", "__hash__", "__bool__", "__nonzero__", "__len__",
        "__length_hint__", "__iter__", "__next__", "__contains__", "__reversed__", "__getitem__",
        "__setitem__", "__delitem__", "__missing__", "__index__", "__int__", "__float__",
        "__complex__", "__round__", "__fspath__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__",
        "__ge__", "__cmp__", "__neg__", "__pos__", "__abs__", "__invert__", "__add__", "__sub__",
        "__mul__", "__matmul__", "__truediv__", "__div__", "__floordiv__", "__mod__", "__divmod__",
        "__pow__", "__lshift__", "__rshift__", "__and__", "__or__", "__xor__", "__radd__",
        "__rsub__", "__rmul__", "__rmatmul__", "__rtruediv__", "__rdiv__", "__rfloordiv__",
        "__rmod__", "__rpow__", "__iadd__", "__isub__", "__imul__", "__itruediv__",
        "__post_init__", "__copy__", "__deepcopy__", "__aiter__", "__anext__", "__aenter__",
        "__aexit__", "__await__",
    ]
)  # fmt: skip
# Builtins of Python 3 and 2, and which of them are exceptions.
_BUILTINS = frozenset(dir(builtins)) | {
    "apply", "basestring", "buffer", "cmp", "coerce", "execfile", "file", "intern", "long",
    "raw_input", "reduce", "reload", "unichr", "unicode", "xrange",
}  # fmt: skip
_RUNNING = frozenset(
    [
        "exec", "eval", "execfile", "compile", "__import__", "reload", "apply",
        "breakpoint", "help", "license", "credits", "copyright",
    ]
)  # fmt: skip
_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | {"StandardError"}
# They make texts, numbers, lists and dictionaries only.
_LOADERS = frozenset(["yaml.BaseLoader", "yaml.CSafeLoader", "yaml.SafeLoader"])
# They tell of a frame only where its code is.
_LOCATING = frozenset(["inspect.getfile", "inspect.getsourcefile", "inspect.getabsfile"])
# Names of TensorFlow that are not public.
_PRIVATE = expression(r"tf\.python\.")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Methods by which a class keeps its attributes elsewhere, in the items of a dictionary, say; or
# keeps the one object that it has.
_KEEPING = frozenset(["__getattr__", "__setattr__", "__delattr__", "__new__"])
# What they may call: what finds, keeps and copies values by the name that they are given.
_OF_VALUES = frozenset(
    [
        "get", "pop", "format", "super", "isinstance", "hasattr", "dict", "list", "tuple", "str",
        "repr",
    ]
)  # fmt: skip
_TYPES = frozenset(["dict", "object", "list", "set", "tuple", "str"])


class PlainPython:
    """Tells what in some files is no plain Python."""

    def __init__(
        self, tree: Tree, symbols: Symbols, classes: Classes, names: Names, plain: PlainNames
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._names = names
        self._plain = plain

    @cached_property
    def unread(self) -> list[ast.AST]:
        """What may run code that is not read: a text, what a file holds, a hook of Python."""
        return [*self._names_of_modules(ast.Load), *self._builtins(_RUNNING), *self._stars()]

    @cached_property
    def hidden(self) -> list[ast.AST]:
        """What else may run any function of the files in a way that is not followed."""
        return [*self._find()]

    def _find(self) -> Iterator[ast.AST]:
        yield from self._names_of_modules((ast.Store, ast.Del))
        yield from self._builtins(_BUILTINS - _RUNNING)
        for name, nodes in self._tree.names.items():
            if _is_special(name) and name not in _SAYING:
                yield from (node for node in nodes if not self._is_own(node))
        for name, attributes in self._tree.attributes.items():
            if _is_special(name) or name in _INNER:
                yield from (node for node in attributes if not self._is_plain_attribute(node))
        yield from self._definitions()
        yield from (it.statement for it in self._tree.imports if it.path.startswith("__main__"))

    def _names_of_modules(self, contexts: type | tuple[type, ...]) -> Iterator[ast.AST]:
        """Yield the names of Python, or of known libraries, that are not plain.

        None of them may be replaced.
        """
        for node, path in self._names.found:
            if not isinstance(node.ctx, contexts) or not self._names.is_whole(node):
                continue
            name = canonical(path)
            root = name.partition(".")[0]
            if root == "__main__" or not (root in PYTHON or self._plain.knows(name)):
                continue
            is_read = isinstance(node.ctx, ast.Load)
            if not is_read and isinstance(node, ast.Name):
                continue  # A name of the file gets another value.
            if root == "tf" and ("FLAGS" in name or (is_read and not _PRIVATE.match(name))):
                continue
            is_plain = is_read and (
                self._plain.has(name.removesuffix(".__init__"))
                or self._is_tested(node)
                or self._is_plain_call(node, name)
            )
            if not is_plain and not self._tree.means(path):
                yield node

    def _is_tested(self, node: ast.expr) -> bool:
        """Tell whether it is only asked whether there is something: `if yaml:`."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert):
            return parent.test is node
        is_not = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
        return is_not or isinstance(parent, ast.Compare | ast.Expr)

    def _is_plain_call(self, node: ast.expr, name: str) -> bool:
        """Tell whether a function is given nothing there by which it could run other code."""
        parent = self._tree.parent[node]
        if name == "sys":  # `reload(sys)` of Python 2, for its `setdefaultencoding`.
            return isinstance(parent, ast.Call) and self._tree.builtin(parent.func) == "reload"
        if name == "inspect.currentframe":
            asking = self._tree.parent.get(parent)
            return isinstance(asking, ast.Call) and self._symbols.name(asking.func) in _LOCATING
        if name == "yaml.load" and isinstance(parent, ast.Call):
            loaders = [*parent.args[1:], *(item.value for item in parent.keywords)]
            return len(loaders) == 1 and self._symbols.name(loaders[0]) in _LOADERS
        unless = self._plain.unless.get(name)
        if unless is None or not isinstance(parent, ast.Call) or parent.func is not node:
            return False
        is_simple = len(parent.args) == 1 and not isinstance(parent.args[0], ast.Starred)
        return is_simple and not {unless, None} & {item.arg for item in parent.keywords}

    def _builtins(self, names: Set[str]) -> Iterator[ast.AST]:
        """Yield the uses of builtins that are not plain."""
        for name in sorted(names & self._tree.names.keys()):
            for node in self._tree.names[name]:
                is_used = isinstance(node.ctx, ast.Load) and self._tree.builtin(node)
                if is_used and not self._is_plain_builtin(node):
                    yield node

    def _is_plain_builtin(self, node: ast.Name) -> bool:
        parent = self._tree.parent[node]
        called = parent if isinstance(parent, ast.Call) and parent.func is node else None
        if node.id == "__import__":
            key = called.args[0] if called is not None and called.args else None
            return isinstance(key, ast.Constant)
        if node.id == "reload" and called is not None:
            return [self._symbols.name(item) for item in called.args] == ["sys"]
        if node.id in (*_ASKING, "vars"):
            return called is not None and self._is_plain_lookup(node.id, called.args)
        if node.id == "type":
            return self._is_looked_at(node) if called is None else self._is_compared(called)
        return self._plain.is_builtin(node.id) or node.id in _SAYING or node.id in _EXCEPTIONS

    def _is_plain_lookup(self, name: str, given: list[ast.expr]) -> bool:
        """Tell whether a lookup names what it finds, or can find, or replace, no function."""
        if len(given) > 1 and isinstance(given[1], ast.Constant):
            stores = name != "getattr" and self._is_library(given[0])
            return not (stores or _is_special(str(given[1].value)))
        target = given[0] if given else None
        if target is not None and len(given) > 1 and self._finds_none(given[1]):
            return name == "getattr" or not self._is_library(target)
        if target is None or name == "setattr":
            return isinstance(target, ast.Name) and self._classes.of_self(target) is not None
        return self.has_no_functions(target)

    def _finds_none(self, key: ast.expr) -> bool:
        """Tell whether nothing in the files is named as a computed name begins."""
        begin = beginning_of(key, self._tree)
        is_special = begin.startswith("__") or not begin.strip("_")
        return not is_special and not any(name.startswith(begin) for name in self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        """The names of all variables, attributes and definitions of the files."""
        tree = self._tree
        kinds = (*_DEFINITIONS, ast.ClassDef)
        defined = (getattr(item, "name", "") for kind in kinds for item in tree.nodes(kind))
        imported = (item.name for item in tree.imports)
        return frozenset([*tree.names, *tree.attributes, *defined, *imported])

    def has_no_functions(self, target: ast.expr) -> bool:
        """Tell whether an object has no functions of the files: options, or a library's own."""
        if isinstance(target, ast.Constant | ast.JoinedStr):
            return True
        return self._is_library(target) or last_name(target).lower() in _OPTIONS

    def _is_library(self, node: ast.expr) -> bool:
        """Tell whether an expression is a module that is none of the files, or a part of one."""
        base = base_of(node)
        bindings = self._tree.bindings(base) if isinstance(base, ast.Name) else []
        return bool(bindings) and all(self._is_outside(item.path) for item in bindings)

    def _is_outside(self, path: str | None) -> bool:
        """Tell whether an import is that of a library, where it is of no file."""
        if path is None or path == "__main__" or path.startswith("."):
            return False
        return not self._tree.means(path)

    def _is_compared(self, call: ast.Call) -> bool:
        """Tell whether a call of `type` gives a class that is only looked at."""
        parent = self._tree.parent[call]
        if isinstance(parent, ast.Attribute):
            return parent.attr in _SAYING
        return len(call.args) == 1 and self._is_looked_at(call)

    def _is_looked_at(self, node: ast.expr) -> bool:
        parent = self._tree.parent[node]
        is_shown = isinstance(parent, ast.Call) and self._tree.builtin(parent.func) in _SHOWING
        return isinstance(parent, _LOOKING) or is_shown

    def _stars(self) -> Iterator[ast.AST]:
        """Yield the imports of every name of a module of Python, or of a known library."""
        for statement in self._tree.nodes(ast.ImportFrom):
            module = statement.module or ""
            if statement.names[0].name != "*" or statement.level:
                continue
            known = module.partition(".")[0] in PYTHON or self._plain.knows(module)
            if known and not self._plain.is_whole(module):
                yield statement

    def _is_own(self, node: ast.Name) -> bool:
        return bool(self._tree.bindings(node)) and node.id != "__metaclass__"

    def _is_plain_attribute(self, node: ast.Attribute) -> bool:
        parent = self._tree.parent[node]
        if node.attr == "__class__":
            return isinstance(parent, ast.Attribute) and parent.attr in _SAYING
        if isinstance(node.ctx, ast.Load) and node.attr in _SAYING:
            return True
        if node.attr == "__dict__":
            owner = node.value
            of_self = isinstance(owner, ast.Name) and self._classes.of_self(owner) is not None
            return of_self or (isinstance(node.ctx, ast.Load) and self.has_no_functions(owner))
        is_called = isinstance(parent, ast.Call) and parent.func is node
        if node.attr in _KEEPING:
            method = self._tree.function(node).node
            return is_called and self._keeps(method) and self._is_on_self(node, method)
        is_method = is_called or self._tree.builtin(node.value) in _TYPES
        return is_method and node.attr in _FOLLOWED

    def _is_on_self(self, callee: ast.Attribute, method: ast.AST) -> bool:
        """Tell whether a call is for what a method is called for: `super().__setattr__(...)`."""
        call, owner = self._tree.parent[callee], callee.value
        given = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if isinstance(owner, ast.Call):
            return self._tree.builtin(owner.func) == "super"
        first = method.args.args[:1] if isinstance(method, ast.FunctionDef) else []
        return isinstance(given, ast.Name) and given.id in {item.arg for item in first}

    def _keeps(self, function: ast.AST) -> bool:
        """Tell whether a method only keeps attributes, or an object, or finds them by name."""
        if not isinstance(function, ast.FunctionDef) or function.name not in _KEEPING:
            return False
        owner = self._tree.scope(function).node
        if not isinstance(owner, ast.ClassDef) or function.decorator_list:
            return False
        body = [node for statement in function.body for node in ast.walk(statement)]
        made = {owner.name, *_EXCEPTIONS, *_OF_VALUES, *_KEEPING, *_FOLLOWED}
        return not any(
            isinstance(node, (*_DEFINITIONS, ast.Lambda, ast.ClassDef, ast.Yield, ast.Await))
            or (isinstance(node, ast.Call) and last_name(node.func) not in made)
            for node in body
        )

    def _definitions(self) -> Iterator[ast.AST]:
        """Yield definitions that Python heeds where nothing names them."""
        for kind in _DEFINITIONS:
            for function in self._tree.nodes(kind):
                in_class = self._tree.scope(function).kind == "class"
                name = getattr(function, "name", "")
                followed = name in _FOLLOWED or self._keeps(function)
                if _is_special(name) and not (in_class and followed):
                    yield function
        for owner in self._tree.nodes(ast.ClassDef):
            for keyword in owner.keywords:
                if self._symbols.name(keyword.value) != "abc.ABCMeta":
                    yield keyword.value


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
