"""What one file uses of TensorFlow, directly or through other files."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import base_of, tail_of, whole_of
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression
from tfgpu.program.answers import EAGERLY
from tfgpu.program.by_name import imports_by_name
from tfgpu.program.grades import Grade, Grades, is_renamed, loses
from tfgpu.program.handed import Files, Handed
from tfgpu.program.modules import Modules
from tfgpu.program.raw import GRAPH_MODE, RAW, V1, first_part
from tfgpu.program.version import Questions, Version
from tfgpu.rulebook.book import Rulebook

_CHAINED = expression(r"^tensorflow(?:\.compat\.v[12])+(?=\.compat\.v[12]\b)")
_SPELLED = expression(r"_?(?:tf|tensorflow)(?:1|_v1)?")
# What runs eagerly, or makes the program do so.
_EAGER = frozenset(
    [
        "tf.GradientTape", "tf.function", EAGERLY, "tf.enable_eager_execution",
        "tf.enable_v2_behavior",
    ]
)  # fmt: skip
# What may run at import before graph mode is turned on.
_HARMLESS = ("tf.app.flags", "tf.flags", "tf.logging", "tf.config", "tf.version", "tf.gfile")
# Packages of Keras beside that of TensorFlow, and with it.
KERAS = ("keras", "tf_keras")
WITH_KERAS = (RAW, *KERAS)
# Functions of Keras's backend that go with TensorFlow 1 only.
_KERAS_SESSIONS = ("get_session", "set_session")
# A module of the package keras for TensorFlow 1, and classes of it that compute eagerly since.
_KERAS_1 = "keras.backend.tensorflow_backend"
_OPTIMIZER = expression(
    r"(?:tensorflow\.|tf_)?keras\.(?:\w+\.)*optimizers(?:\.(?:\w+\.)*[A-Z]\w*)?$"
)


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A use of the raw module, through an import that is in the file `home`."""

    node: ast.AST
    name: str
    grade: Grade
    home: str


@dataclass(frozen=True, slots=True, eq=False)
class FileUses:
    """What one file has to do with TensorFlow, apart from code that only other versions run.

    `uses` are those of the raw module, `eager` what is for eager execution, `only_asks` whether
    that is no more than to ask whether code runs so, `modern` what goes through
    tensorflow.compat.v2, `compat` what goes through tensorflow.compat.v1, `graph_only` calls of
    Keras for graphs, `turns_off` calls that turn TensorFlow 2 behaviour off, `graphs` whether the
    import does so on any TensorFlow 2, `asks` questions that TensorFlow 1 and 2 answer differently,
    `dynamic` imports by name, `keras` the first use of Keras. Of the package keras for TensorFlow
    2, `keras_1` uses a module that it does not have, `optimizers` what fails in graphs.
    """

    tree: Tree
    uses: tuple[Use, ...]
    eager: tuple[ast.AST, ...]
    only_asks: bool
    modern: tuple[ast.AST, ...]
    compat: tuple[Use, ...]
    graph_only: tuple[ast.AST, ...]
    turns_off: tuple[ast.AST, ...]
    graphs: bool
    asks: tuple[ast.AST, ...]
    dynamic: tuple[ast.AST, ...]
    keras: ast.AST | None
    keras_1: tuple[ast.AST, ...]
    optimizers: tuple[ast.AST, ...]
    questions: Questions

    def of(self, *grades: Grade) -> Iterator[Use]:
        """Yield the uses of some grades."""
        return (use for use in self.uses if use.grade in grades)

    def is_keras_session(self, node: ast.AST) -> bool:
        """Tell whether a node names a function for sessions by an import of the package keras.

        TensorFlow 2 has it in `tensorflow.compat.v1.keras` only.
        """
        if isinstance(node, ast.alias):
            path = self.tree.imported[node].path
            return path.startswith(KERAS) and path.endswith(_KERAS_SESSIONS)
        last = last_name(node)
        return last in _KERAS_SESSIONS and self._is_of_keras(node, 3)

    def _is_of_keras(self, node: ast.AST, depth: int) -> bool:
        """Tell whether an expression may have its value from an import of Keras."""
        names = [name for name in ast.walk(node) if isinstance(name, ast.Name)] if depth else []
        bindings = [binding for name in names for binding in self.tree.bindings(name)]
        return any(
            (binding.path or "").startswith(KERAS)
            or (binding.value is not None and self._is_of_keras(binding.value, depth - 1))
            for binding in bindings
        )


class Uses:
    """Finds the names of TensorFlow that files use, directly or through other files."""

    def __init__(self, modules: Modules, files: Files, book: Rulebook) -> None:
        self.modules = modules
        self.parsed = files
        self.book = book
        self._found: dict[str, FileUses | None] = {}
        self.handed = Handed(modules, files)
        self._grades = Grades(book)

    def of(self, path: str) -> FileUses | None:
        """Return what a file uses; None where it cannot be parsed."""
        if path not in self._found:
            self._found[path] = self._find(path)
        return self._found[path]

    def needs_graphs(self, path: str) -> Iterator[ast.AST]:
        """Yield what of Keras, and around it, may do something else eagerly than in graphs."""
        from tfgpu.program.eager_keras import may_need_graphs  # noqa: PLC0415 - few need it

        parsed = self.parsed(path)
        if parsed is not None:
            mentions = self._mentions(path, *parsed)
            named = ((node, canonical(_CHAINED.sub(RAW, chain))) for node, chain, _ in mentions)
            yield from may_need_graphs(*parsed, named)

    def names(self, path: str, name: str) -> bool:
        """Tell whether a file uses a function or class of another: `session`, `lib.session`.

        An import of it is no use yet.
        """
        parsed = self.parsed(path)
        if parsed is None:
            return False
        tree, symbols = parsed
        words = {item.name for item in tree.imports if item.path.rpartition(".")[2] == name}
        words.update([name] if tree.star_imports else [])
        for word in words:
            own = any(binding.path is None for binding in tree.root.bindings.get(word, ()))
            if not own and any(isinstance(node.ctx, ast.Load) for node in tree.names.get(word, ())):
                return True
        return any(
            self.modules.find(path, dotted) is not None
            for attribute in tree.attributes.get(name, ())
            for dotted in symbols.paths(attribute)
        )

    def _find(self, path: str) -> FileUses | None:
        parsed = self.parsed(path)
        if parsed is None:
            return None
        tree, symbols = parsed
        questions = Questions(tree, symbols, self.book)
        uses, eager, modern, compat, graph_only, turns_off = [], [], [], [], [], []
        graphs, only_asks = False, True
        keras: ast.AST | None = None
        keras_1, optimizers = [], []
        for node, chain, home in self._mentions(path, tree, symbols):
            if first_part(chain) == RAW and self._is_of_run(home, chain):
                continue
            # `tf.compat.v2.compat.v1` is `tf.compat.v1`.
            dotted = _CHAINED.sub(RAW, chain)
            name = canonical(dotted)
            graphs = graphs or (name in GRAPH_MODE and _always_called(node, tree, questions))
            if questions.version(node) is not Version.BOTH:
                continue
            if name in _EAGER:
                eager.append(node)
                only_asks = only_asks and name == EAGERLY
            elif dotted.startswith("tensorflow.compat.v2"):
                modern.append(node)
            if name in GRAPH_MODE:
                turns_off.append(node)
            if name in self.book.graph_only:
                graph_only.append(node)
            if name.startswith("keras.") or name == "keras":
                keras = keras or node
            if f"{dotted}.".startswith(f"{_KERAS_1}."):
                keras_1.append(node)
            elif _OPTIMIZER.match(dotted) and not _can_be_switched(node, tree):
                optimizers.append(node)
            if f"{dotted}.".startswith(f"{V1}."):
                compat.append(Use(node, name, Grade.SAME, home))
            elif f"{dotted}.".startswith(f"{RAW}."):
                uses.append(Use(node, name, self._grades.of(node, dotted, tree, symbols), home))
        numbers = list(_numpy_calls(tree))
        eager += numbers
        return FileUses(
            tree,
            tuple(uses),
            tuple(node for node in eager if questions.version(node) is Version.BOTH),
            only_asks and not (modern or numbers),
            tuple(modern),
            tuple(compat),
            tuple(graph_only),
            tuple(turns_off),
            graphs,
            questions.dependent,
            (*imports_by_name(tree), *self._proxies(tree, symbols)),
            keras,
            tuple(keras_1),
            tuple(optimizers),
            questions,
        )

    def _is_of_run(self, path: str, dotted: str) -> bool:
        """Tell whether a file of the run is named like TensorFlow, and has what a file takes."""
        found = self.modules.find(path, dotted)
        if found is None:
            return False
        name = first_part(found[1])
        return not name or name.encode() in self.modules.words(found[0])

    def _mentions(
        self, path: str, tree: Tree, symbols: Symbols
    ) -> Iterator[tuple[ast.AST, str, str]]:
        """Yield each expression and import of TensorFlow: its dotted path, whose import it uses."""
        for item in tree.imports:
            yield item.alias, item.path, path
            if loses(item.alias, tree, symbols):
                for other, home in self.handed.all_of(path, item.path):
                    yield item.alias, other, home
        # `import_module("module").tf`
        for call in tree.calls:
            for dotted in (
                symbols.paths(call) if isinstance(tree.parent[call], ast.Attribute) else ()
            ):
                for other, home in self.handed.all_of(path, dotted):
                    yield call, other, home
        given = {
            target.id
            for assign in tree.nodes(ast.Assign)
            if isinstance(assign.value, ast.Call)
            and not assign.value.args
            and symbols.paths(assign.value.func)
            for target in assign.targets
            if isinstance(target, ast.Name)
        }
        for name in symbols.readers(tree, given):
            if isinstance(name.ctx, ast.Load):
                paths, own = symbols.paths(name), [item.path or "" for item in tree.bindings(name)]
                # Behind a star import it may be another thing: its import is switched all the same.
                is_hidden = bool(own) and not paths and {RAW} == set(map(first_part, own))
                paths = frozenset(own) if is_hidden else paths
                if not paths and not tree.star_imports and name.id not in given:
                    continue
                whole = whole_of(name, tree)
                found = set(map(first_part, paths))
                ends = frozenset(f"{own}{tail_of(name, tree)}" for own in paths)
                known = ends if is_hidden else symbols.paths(whole)
                if found & {RAW, "keras", "tf_keras"}:
                    for dotted in known:
                        yield whole, dotted, path
                    known = frozenset()
                # `from module import *` may bind a name again that an import has bound.
                for dotted in (*known, *self._starred(tree, name)):
                    for other, home in self.handed.find(path, dotted):
                        yield whole, other, home
                if not is_renamed(whole, tree, symbols):
                    for dotted in known:
                        for other, home in self.handed.of_module(path, dotted):
                            yield whole, other, home
                for dotted, home in self._given(path, name, tree, symbols):
                    yield whole, dotted, home

    def _given(
        self, path: str, name: ast.Name, tree: Tree, symbols: Symbols
    ) -> Iterator[tuple[str, str]]:
        """Yield what of TensorFlow a name has from a function of another file, and which file.

        That is so for `tf = import_tf()`, where the name has no other value.
        """
        bindings = tree.bindings(name)
        call = bindings[0].value if len(bindings) == 1 else None
        if isinstance(call, ast.Call) and not call.args and not call.keywords:
            for dotted in symbols.paths(call.func):
                found = self.modules.find(path, dotted)
                given = self.handed.returned(*found) if found is not None else None
                if found is not None and given is not None:
                    yield f"{given}{tail_of(name, tree)}", found[0]

    def _proxies(self, tree: Tree, symbols: Symbols) -> Iterator[ast.AST]:
        """Yield names of what hands TensorFlow on in a way that is not followed, with its use.

        Such a proxy passes on the raw module, whatever the imports of the program become.
        """
        imported = {item.name for item in tree.imports}
        # It is made from the name of the module, or spelled like it.
        made = RAW in tree.texts
        for word, names in tree.names.items():
            if not (made or _SPELLED.fullmatch(word)):
                continue
            given = tree.given.get(word, [])
            if word not in imported and not any(isinstance(item, ast.Call) for item in given):
                continue
            for name in names:
                if not isinstance(name.ctx, ast.Load) or symbols.paths(name):
                    continue
                if not _is_proxy(name, tree) or self._is_own(name, tree):
                    continue
                used = f"tf{tail_of(name, tree)}"
                changed = used.removeprefix("tf.") in self.book.differs
                if changed or self.book.is_v1_only(used) or self.book.is_missing(used):
                    yield whole_of(name, tree)

    def _is_own(self, name: ast.Name, tree: Tree) -> bool:
        """Tell whether a name is one that another file has from TensorFlow by an import."""
        parsed = self.parsed(tree.path)
        if parsed is not None and any(self._given(tree.path, name, *parsed)):
            return True
        path = next((item.path for item in tree.bindings(name) if item.path is not None), None)
        return path is not None and bool(self.handed.find(tree.path, path))

    def _starred(self, tree: Tree, name: ast.Name) -> Iterable[str]:
        """Return what a name may be that comes from `from module import *`."""
        owner = tree.owner(name.id, tree.scope(name))
        # `tf = tf` in a class takes what is outside of it.
        is_own = owner is not None and owner is not tree.root and owner.kind != "class"
        if not tree.star_imports or is_own:
            return ()
        tail = tail_of(name, tree)
        return [f"{module}.{name.id}{tail}" for module in tree.star_imports.values()]


def harmless_at_import(name: str) -> bool:
    """Tell whether a call may come before graph mode is turned on."""
    return f"{name}.".startswith(tuple(f"{known}." for known in _HARMLESS)) or name in GRAPH_MODE


def _can_be_switched(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a name goes through an import of TensorFlow, or is only imported."""
    base = base_of(node) if isinstance(node, ast.Attribute) else node
    return isinstance(base, ast.alias) or (
        isinstance(base, ast.Name)
        and any(first_part(item.path or "") == RAW for item in tree.bindings(base))
    )


def _always_called(node: ast.AST, tree: Tree, questions: Questions) -> bool:
    """Tell whether the import of a file calls something on any TensorFlow 2.

    `try: import tensorflow.compat.v1` fails on none, and code that asks which one runs is answered.
    """
    call = tree.parent[node]
    if not (isinstance(call, ast.Call) and call.func is node):
        return False
    if tree.function(node) is not tree.root or not isinstance(tree.parent[call], ast.Expr):
        return False
    around = {node, *tree.within(node)}
    for guard, part in tree.guards(node):
        if isinstance(guard, ast.If):
            answer = questions.on_2(guard.test)
            if answer is None or answer is not (part == "body"):
                return False
        elif isinstance(guard, ast.Try) and part == "body":
            before = itertools.takewhile(lambda item: item not in around, guard.body)
            if not all(map(_imports_a_module_of_all, before)):
                return False
        else:
            return False
    return True


def _imports_a_module_of_all(statement: ast.stmt) -> bool:
    """Tell whether a statement only imports TensorFlow, or its compat.v1: each version has both."""
    if isinstance(statement, ast.Import):
        return all(alias.name in (RAW, V1) for alias in statement.names)
    return (
        isinstance(statement, ast.ImportFrom)
        and not statement.level
        and all(f"{statement.module}.{alias.name}" == V1 for alias in statement.names)
    )


def _numpy_calls(tree: Tree) -> Iterator[ast.AST]:
    """Yield calls of `.numpy()`, which only eager tensors have, where they cannot be PyTorch's."""
    if "torch" in tree.words or RAW not in {first_part(item.path) for item in tree.imports}:
        return
    for node in tree.attributes.get("numpy", []):
        parent = tree.parent[node]
        if isinstance(parent, ast.Call) and parent.func is node and not parent.args:
            yield node


def _is_proxy(name: ast.Name, tree: Tree) -> bool:
    """Tell whether a name seems to refer to TensorFlow: by its spelling, or by what made it."""
    bindings = tree.bindings(name)
    made = [item.value for item in bindings if isinstance(item.value, ast.Call)]
    if any(
        isinstance(inner, ast.Constant) and inner.value == RAW
        for call in made
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for inner in ast.walk(argument)
    ):
        return True
    imported = any(item.path is not None for item in bindings)
    return bool(made or imported) and _SPELLED.fullmatch(name.id) is not None
