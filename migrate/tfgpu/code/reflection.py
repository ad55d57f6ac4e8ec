"""What a program sees of its variables without naming them: `locals()`, `vars(x)`, `hasattr`.

A variable that goes, or comes, with a conversion is seen by it, and so is one that is replaced
without being named. What is certainly about other names, or calls what it finds, is no such look.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from pathlib import PurePath

from tfgpu.code.asked_names import ATTRIBUTES, AskedNames
from tfgpu.code.classes import Classes
from tfgpu.code.finders import Finders
from tfgpu.code.formats import Formats
from tfgpu.code.index import COMPREHENSIONS, Import, Scope
from tfgpu.code.lookups import MEMBERS
from tfgpu.code.observers import STATES, observers, protocols, sees_all
from tfgpu.code.origins import UNKNOWN
from tfgpu.code.serialized import Serialized
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.code.values import Values

_NAMESPACES = frozenset(["locals", "globals", "vars", "dir"])
# The functions that see the names of a scope, and of an object.
_SCOPES = _NAMESPACES | {"eval"}
_OBJECTS = ATTRIBUTES | {"vars", "dir"} | MEMBERS
# The dictionaries of an object, and the method that looks into them.
_DICTIONARIES = ("__dict__", "__annotations__", "__getattribute__", *STATES)
# What sees the variables of functions wherever it stands, and of modules.
_FRAMES = ("f_locals", "cell_contents", "co_varnames", "co_names", "co_nlocals", "co_cellvars")
_GLOBALS = ("f_globals", "__globals__", "func_globals")
# An object that may be any one of the files.
_ANY = (
    UNKNOWN, "copy.copy()", "copy.deepcopy()", "pickle.load()", "pickle.loads()", "builtins.type()",
)  # fmt: skip
# They set an attribute by its name, or take it away: functions, and methods with underscores.
_SETS = ("setattr", "delattr")
# As a value, such as in `functools.partial(getattr, trainer)("config")`, they act on any name.
_BY_VALUE = (*_SETS, "getattr")


class Reflection:
    """Finds code that reads names by reflection (`vars`, `dir`, `getattr`) in some files."""

    def __init__(
        self, tree: Tree, symbols: Symbols, classes: Classes, finders: Finders, values: Values
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._finders = finders
        self._names = AskedNames(tree, values)
        self._origins = finders.origins
        self._formats = Formats(tree)
        self._serialized = Serialized(tree, symbols, classes, finders.origins)

    def _sees(self, look: ast.expr, owner: ast.ClassDef) -> bool:
        """Tell whether a lookup may be one of a class, or of its objects."""
        named = self._classes.named(self._target(look))
        if named is not None:
            return self._related(named, owner)
        return self._may_be(self._target(look), owner)

    # What sees a name.

    def of_variable(self, scope: Scope, name: str) -> Iterator[ast.expr]:
        """Yield the code that may read a variable by reflection."""
        if scope.kind != "module":
            looks = (look for look in self._in_function(scope) if self._may_see(look, name))
            return (look for look in looks if not _is_cell(look) or self._is_captured(scope, name))
        return self._of_name(scope, name)

    def _of_name(self, scope: Scope, name: str) -> Iterator[ast.expr]:
        """Yield what may see a variable of a module."""
        yield from (look for look in self._at_module(scope) if self._may_see(look, name))
        for text in self._tree.texts if name in self._finders.examples else ():
            if ">>>" in text and name in text:
                yield from self._tree.texts[text]
        home = {self._tree.file(scope.node)}
        for node in self._tree.attributes.get(name, []):
            # `__main__.config`, `sys.modules[name].config`
            if self._symbols.variable(node) is None and self._may_be_module(node.value, home, True):
                yield node
        if self._finders.modules_are_objects:
            yield from self._setters(None, name)
            # `mock.patch.object(conf, "CONFIG", None)`, `attrgetter("CONFIG")(conf)`
            yield from self._given(name, 0)
        yield from self._formats.asking(name)
        yield from self._in_code(self._tree.file(scope.node), name)
        for pattern in self._tree.nodes(ast.MatchClass):
            if name in pattern.kwd_attrs and self._classes.named(pattern.cls) is None:
                yield pattern.cls

    def of_objects(self, name: str) -> Iterator[ast.expr]:
        """Yield the code that may ask any object at all for a name by reflection."""
        return (look for look in self._of_objects if self._may_see(look, name))

    def of_attribute(self, owner: ast.ClassDef, name: str) -> Iterator[ast.expr]:
        """Yield the code that may read an attribute of the objects of a class by reflection."""
        for look in self._of_objects:
            if self._may_see(look, name) and self._sees(look, owner):
                yield look
        yield from self._setters(owner, name)
        yield from protocols(name, self._tree, self._symbols)
        # `mock.patch.object(trainer, "config", None)`
        yield from self._given(name, 1)
        for call, function in self._symbols.calls(self._tree):
            if function == "operator.attrgetter":
                asked = [self._names.of_key(item) for item in call.args]
                parts = [re.split(r"\\?\.", text) for item in asked for text in item or ()]
                if None in asked or any(name in part for part in parts):
                    yield call
        yield from self._serialized.of(owner)
        yield from self.of_property(owner, name)

    def of_property(self, owner: ast.ClassDef, name: str) -> Iterator[ast.expr]:
        """Yield what reads an attribute by patterns and formats, where it may be a property."""
        for pattern in self._tree.nodes(ast.MatchClass):
            if name in pattern.kwd_attrs and self._may_match(pattern, owner):
                yield pattern.cls
        yield from self._formats.asking(name)

    def _given(self, name: str, first: int) -> Iterator[ast.expr]:
        """Yield where a call is given a name as a text, as its argument `first` or behind that.

        That, or a keyword of `mock.patch.multiple`, may name what an attribute is replaced by.
        """
        dotted = (text for text in self._tree.texts if "." in text and name in text.split("."))
        texts = (node for text in (name, *dotted) for node in self._tree.texts.get(text, ()))
        for text in texts:
            call = self._tree.parent[text]
            # `mock.patch("train.Trainer.config", None)`
            behind = 0 if "." in str(text.value) else first
            given = call.args[behind:] if isinstance(call, ast.Call) else ()
            if text in given and not self._tree.builtin(getattr(call, "func", call)):
                yield text
        for keyword in self._tree.nodes(ast.keyword):
            call = self._tree.parent[keyword]
            if keyword.arg == name and last_name(getattr(call, "func", call)) == "multiple":
                yield keyword.value

    def _setters(self, owner: ast.ClassDef | None, name: str) -> Iterator[ast.expr]:
        """Yield what may set an attribute by `__setattr__`, or act on it by a builtin as a value.

        It is one of a class, or of a module.
        """
        methods = (node for word in _SETS for node in self._tree.attributes.get(f"__{word}__", ()))
        for node in methods:
            around = self._tree.function(node).node
            home = self._tree.scope(around).node if isinstance(around, ast.FunctionDef) else None
            is_own = getattr(around, "name", "") in ("__setattr__", "__delattr__")
            owned = home if is_own and isinstance(home, ast.ClassDef) else None
            if owned is not None and (owner is None or not self._related(owned, owner)):
                continue
            call = self._tree.parent[node]
            given = call.args if isinstance(call, ast.Call) and call.func is node else []
            texts = [one.value for one in given if isinstance(one, ast.Constant)]
            if name in texts or not any(isinstance(text, str) for text in texts):
                yield node
        if name not in self._tree.texts:
            return
        for use in (use for word in _BY_VALUE for use in self._tree.names.get(word, ())):
            call = self._tree.parent[use]
            is_plain = isinstance(call, ast.Call) and call.func is use and len(call.args) > 1
            if isinstance(use.ctx, ast.Load) and not is_plain:
                yield use

    def _in_code(self, home: Tree, name: str) -> Iterator[ast.Constant]:
        """Yield the texts, also parts of some, that look like code which takes a name of a file."""
        path = PurePath(home.path)
        module = path.parent.name if path.stem == "__init__" else path.stem
        taken = re.compile(
            rf"\b{re.escape(module)}(?:\.(?:{name}\b|[%{{]|$)|:{name}\b)"
            rf"|(?:\bfrom\b[^\n]*|^\s*)\bimport\s[^\n]*\b{name}\b",
            re.MULTILINE,
        )
        for text in self._like_code:
            if (name in text or module in text) and taken.search(text):
                for node in self._tree.texts[text]:
                    if not isinstance(self._tree.parent[node], ast.Expr):
                        yield node

    @cached_property
    def _like_code(self) -> list[str]:
        """The texts that may be code which takes a name of a module."""
        return [text for text in self._tree.texts if "." in text or ":" in text or "import" in text]

    def of_class(self, owner: ast.ClassDef, name: str) -> Iterator[ast.expr | ast.FunctionDef]:
        """Yield what acts whenever an attribute of the objects of a class is set, or shows it."""
        return observers(owner, name, self._classes, self._symbols)

    def _may_match(self, pattern: ast.MatchClass, owner: ast.ClassDef) -> bool:
        named = self._classes.named(pattern.cls)
        return named is None or self._related(named, owner)

    def _related(self, one: ast.ClassDef, other: ast.ClassDef) -> bool:
        return other in self._classes.relatives(one)

    def of_new_names(self, node: ast.AST) -> ast.expr | None:
        """Return what lists all names of the scope of a node: those of migrated code, too."""
        scope = self._scope(node)
        if isinstance(scope.node, ast.ClassDef):
            return self._of_class_names(scope, scope.node)
        looks = self._at_module(scope) if scope.kind == "module" else self._in_function(scope)
        return next((look for look in looks if self._lists(look)), None)

    def _of_class_names(self, scope: Scope, owner: ast.ClassDef) -> ast.expr | None:
        """Return what lists all names of the body of a class, or makes members of them."""
        makers = [item.value for item in owner.keywords] + owner.decorator_list
        makers += [
            base
            for base in owner.bases
            if any(path.startswith("enum.") for path in self._symbols.paths(base))
        ]
        looks = (*self._in_function(scope), *self._of_objects)
        objects = set(self._of_objects)
        listing = (
            look
            for look in looks
            if self._lists(look) and (look not in objects or self._sees(look, owner))
        )
        return next(chain(makers, listing), None)

    def asks_module(self, module: Tree, name: str) -> bool:
        """Tell whether any code may ask a module for a name that it does not have yet."""
        asked = [self._symbols.module(node.value) for node in self._tree.attributes.get(name, [])]
        linked = map(self._tree.linked, self._imports.get(name, ()))
        asked += (found[0] for found in linked if found is not None)
        if any(one is not None and one.root is module.root for one in asked):
            return True
        return self._finders.asks_script(name) or self.looks_at_module(name)

    @cached_property
    def _imports(self) -> dict[str, list[Import]]:
        """The imports by the names that they import."""
        found: dict[str, list[Import]] = {}
        for item in self._tree.imports:
            found.setdefault(item.alias.name, []).append(item)
        return found

    def may_be_attribute(self, name: str) -> bool:
        """Tell whether a name is a word of any file, or what code may ask an object for."""
        is_word = any(name in file.words for file in self._tree.files)
        return is_word or next(self.of_objects(name), None) is not None

    def has_other_meaning(self, name: str, module: str) -> bool:
        """Tell whether any file binds a name to something else than a module of that path."""
        found = (item for file in self._tree.files for item in file.root.bindings.get(name, ()))
        return any(item.path != module for item in found)

    def looks_at_module(self, name: str) -> bool:
        """Tell whether any code may find a name of a module without writing it as a name."""
        asked = (pattern for look in self._of_modules for pattern in self._names.of(look) or ())
        return any(re.fullmatch(pattern, name) for pattern in asked)

    @cached_property
    def _of_modules(self) -> list[ast.expr]:
        """The reflective lookups of names of any module."""
        files = self._tree.files
        objects = (
            look
            for look in self._of_objects
            if self._may_be_module(self._target(look), files, self._names.of(look) is not None)
        )
        return [*self._namespaces, *objects]

    def _may_see(self, look: ast.expr, name: str) -> bool:
        """Tell whether a reflective lookup may find a name."""
        asked = self._names.of(look)
        return asked is None or any(re.fullmatch(pattern, name) for pattern in asked)

    def _lists(self, look: ast.expr) -> bool:
        everything = isinstance(look, ast.Call) and sees_all(look, self._symbols.name(look.func))
        is_namespace = not (everything or _is_cell(look) or self._builtin(look) == "eval")
        return is_namespace and self._names.of(look) is None

    # The looks.

    @cached_property
    def _namespaces(self) -> tuple[ast.expr, ...]:
        """The reflective lookups of names of a scope."""
        calls = [
            call for call in self._symbols.calls_of(self._tree, _SCOPES) if self._builtin(call)
        ]
        frames = [
            node for name in (*_FRAMES, *_GLOBALS) for node in self._tree.attributes.get(name, [])
        ]
        everything = [item[0] for item in self._symbols.calls(self._tree) if sees_all(*item)]
        annotations = self._tree.names.get("__annotations__", [])
        of_scope = (call for call in calls if self._is_of_scope(call))
        return (*of_scope, *frames, *everything, *annotations)

    def _is_of_scope(self, call: ast.Call) -> bool:
        """Tell whether a call sees the names of the scope that it is in."""
        name = self._builtin(call)
        if name == "eval":
            # With a dictionary, a text sees what that has.
            given = [*call.args[1:], *(item.value for item in call.keywords)]
            return not given or any(
                isinstance(item, ast.Call) and self._builtin(item) in _NAMESPACES for item in given
            )
        return not call.args

    @cached_property
    def _of_objects(self) -> tuple[ast.expr, ...]:
        """The reflective lookups of attributes of an object."""
        calls = [
            call
            for call in self._symbols.calls_of(self._tree, _OBJECTS)
            if call.args and (self._builtin(call) or self._symbols.name(call.func) in MEMBERS)
        ]
        dictionaries = (self._tree.attributes.get(name, []) for name in _DICTIONARIES)
        return (*calls, *chain.from_iterable(dictionaries))

    def _in_function(self, scope: Scope) -> Iterator[ast.expr]:
        """Yield the reflective lookups that see the variables of a function."""
        for look in self._namespaces:
            if self._builtin(look) == "globals":
                continue
            if isinstance(look, ast.Attribute):
                anywhere = look.attr in _FRAMES
            else:
                anywhere = isinstance(look, ast.Call) and not self._builtin(look)
            if anywhere or self._scope(look) is scope:
                yield look

    def _is_captured(self, scope: Scope, name: str) -> bool:
        """Tell whether a function within another one uses a variable of that."""
        uses = self._symbols.uses((scope, name))
        return any(self._scope(use) is not scope for use in uses)

    def _scope(self, node: ast.AST) -> Scope:
        """Return the scope that code runs in: that around a comprehension, which begins there."""
        scope = self._tree.scope(node)
        while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        return scope

    def _at_module(self, scope: Scope) -> Iterator[ast.expr]:
        """Yield the reflective lookups that see the variables of a module."""
        home = self._tree.file(scope.node)
        homes = {home, *self._starred(home)}
        for look in self._namespaces:
            if _is_cell(look):
                continue  # cells hold variables of functions
            inside = self._tree.file(look) in homes
            at_top = self._scope(look).kind == "module"
            every = self._builtin(look) in ("globals", "eval")
            anywhere = isinstance(look, ast.Attribute) or (
                isinstance(look, ast.Call) and not self._builtin(look)
            )
            if anywhere or (inside and (every or at_top)):
                yield look
        for look in self._of_objects:
            target = self._target(look)
            # Of a module that a run names, a name that a run knows is that of a library's function.
            named = self._names.of(look) is not None
            if (named or not isinstance(target, ast.Call)) and self._may_be_module(
                target, homes, named
            ):
                yield look

    def _starred(self, home: Tree) -> Iterator[Tree]:
        """Yield the files that import everything from a file."""
        for statement, other in self._tree.imported_modules():
            if other is home and any(
                alias.name == "*" for alias in getattr(statement, "names", [])
            ):
                yield self._tree.file(statement)

    def _may_be_module(self, target: ast.expr, homes: Iterable[Tree], named: bool) -> bool:
        """Tell whether an object may be one of some modules of the files.

        One that is not known at all may be one that is loaded from a file; but where it is not
        known either what it is asked for (`named`), that takes evidence.
        """
        module = self._symbols.module(target)
        if module is not None:
            return module in homes
        made = [target]
        for item in self._tree.bindings(target) if isinstance(target, ast.Name) else ():
            if item.path == "__main__":
                return True
            made += [] if item.value is None else [item.value]
        return any(map(self._gives_module, made)) or (
            bool(self._finders.dynamic)
            and not self._finders.is_known(target)
            and self._finders.may_be_loaded(target, named)
        )

    def _gives_module(self, node: ast.expr) -> bool:
        """Tell whether an expression gives a module by its name."""
        if isinstance(node, ast.Subscript):
            return self._symbols.name(node.value) == "sys.modules"
        by_name = isinstance(node, ast.Call) and self._symbols.name(node.func)
        return by_name == "importlib.import_module" or self._builtin(node) == "__import__"

    def _may_be(self, target: ast.expr, owner: ast.ClassDef) -> bool:
        """Tell whether an object may be one of a class."""
        own = self._classes.of_self(target) if isinstance(target, ast.Name) else None
        if own is not None:
            return owner in self._classes.relatives(own)
        origins = self._origins.of(target)
        is_any = not origins.isdisjoint(_ANY) or any(
            isinstance(origin, str) and origin.startswith("sys.modules") for origin in origins
        )
        if is_any and not self._finders.is_known(target):
            return True
        return any(
            isinstance(origin, ast.ClassDef) and owner in self._classes.relatives(origin)
            for origin in origins
        )

    def _target(self, look: ast.expr) -> ast.expr:
        """Return the object of a reflective lookup."""
        if isinstance(look, ast.Attribute):
            call = self._tree.parent[look]
            if isinstance(call, ast.Call) and call.func is look and len(call.args) > 1:
                return call.args[0]  # `object.__getattribute__(module, "name")`
            return look.value
        assert isinstance(look, ast.Call)
        return look.args[0]

    def _builtin(self, node: ast.expr) -> str:
        return self._tree.builtin(node.func) if isinstance(node, ast.Call) else ""


def _is_cell(look: ast.expr) -> bool:
    return isinstance(look, ast.Attribute) and look.attr == "cell_contents"
