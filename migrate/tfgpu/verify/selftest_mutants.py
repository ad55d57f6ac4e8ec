"""Mutants of a migration: each differs from it by one fault that a migration could have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from tfgpu.code.tree import last_name
from tfgpu.dataclass import dataclass
from tfgpu.files.pyfile import decode
from tfgpu.rulebook.book import load_rulebook
from tfgpu.verify.programs import Prepared
from tfgpu.verify.selftest_settings import File, Written, arguments, known_calls

DROPPED = "dropped"
VALUE = "another value"
GPU = "another GPU"
ORDER = "another order"
LATE = "behind the session"

_CHOOSES = "set_visible_devices"

# Where the statement that is to run later is kept until then, whichever file that is in.
_KEPT = "_tfgpu_setting"
_RUN_KEPT = f'__import__("builtins").__dict__.pop("{_KEPT}", int)()'


@dataclass(frozen=True, slots=True, eq=False)
class Mutant:
    """A wrong migration: which statement is wrong, how, and the bytes of the files with it.

    `fault` is one of the kinds above, `detail` says what became of the statement. `two_gpus` and
    `unlike_gpus` tell that there is no fault without two GPUs, or two of different sizes; `same`
    why there is none at all, "" where that is not known. `visible` tells that the statement chooses
    among the GPUs.
    """

    fault: str
    path: Path
    line: int
    code: str
    detail: str
    changes: Mapping[Path, bytes]
    two_gpus: bool = False
    unlike_gpus: bool = False
    same: str = ""
    visible: bool = False


Edit = Callable[[cst.CSTNode], "cst.CSTNode | cst.FlattenSentinel[cst.BaseStatement]"]
Edits = dict[cst.CSTNode, Edit]


def mutants(after: Prepared, sessions: Sequence[tuple[Path, int]]) -> Iterator[Mutant]:
    """Yield the mutants of a migrated program.

    `sessions` are the places where it made its sessions.
    """
    texts = _Texts(after)
    paths = dict.fromkeys(statement.path for statement in after.statements)
    files = {}
    for path in paths:
        lines = {one.line for one in after.statements if one.path == path}
        files[path] = File(texts.text(path), lines)
    written = [(path, one) for path, file in files.items() for one in file.written()]
    called = [ast.unparse(call.func) for _, one in written for call in one.calls]
    units: set[ast.stmt] = set()
    for path, one in written:
        maker = _Maker(path, files[path], one, texts)
        if one.sets:
            yield maker.dropped(
                alone=all(called.count(name) == 1 for name in map(_name, one.calls))
            )
        yield from maker.values()
        if one.sets:
            yield from maker.gpus()
        yield from maker.orders()
        if one.sets and one.unit not in units:
            units.add(one.unit)
            yield from maker.late(sessions)


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func)


class _Texts:
    """The files of a migrated program as text and as libcst sees them."""

    def __init__(self, after: Prepared) -> None:
        self._after = after
        self._parsed: dict[Path, tuple[cst.Module, Mapping[cst.CSTNode, CodeRange]]] = {}

    def text(self, path: Path) -> str:
        return decode(self._data(path)).text

    def _data(self, path: Path) -> bytes:
        return self._after.changes.get(path) or path.read_bytes()

    def module(self, path: Path) -> tuple[cst.Module, Mapping[cst.CSTNode, CodeRange]]:
        """Return the module of a file and where each of its nodes stands."""
        if path not in self._parsed:
            wrapper = MetadataWrapper(cst.parse_module(self.text(path)), unsafe_skip_copy=True)
            self._parsed[path] = wrapper.module, wrapper.resolve(PositionProvider)
        return self._parsed[path]

    def edited(self, path: Path, edits: Edits) -> bytes:
        """Return the bytes of a file with some nodes changed."""
        text = self.module(path)[0].visit(_Replace(edits)).code
        return decode(self._data(path)).encode(text)

    def expression(self, path: Path, file: File, node: ast.expr) -> cst.CSTNode:
        """Return the libcst node of an expression: the outermost one in its place."""
        start, end = file.tree.position(node), file.tree.end(node)
        return next(
            one
            for one, where in self.module(path)[1].items()
            if isinstance(one, cst.BaseExpression)
            and (where.start.line, where.start.column + 1) == start
            and (where.end.line, where.end.column + 1) == end
        )

    def statement(self, path: Path, position: tuple[int, int]) -> cst.CSTNode:
        """Return the small or compound statement that begins at a line and column (from 1)."""
        return next(
            one
            for one, where in self.module(path)[1].items()
            if isinstance(one, cst.BaseSmallStatement | cst.BaseCompoundStatement)
            and (where.start.line, where.start.column + 1) == position
        )

    def line_of(self, path: Path, inner: cst.CSTNode) -> cst.CSTNode | None:
        """Return the line that a statement has to itself, None where there are others in it."""
        if isinstance(inner, cst.BaseCompoundStatement):
            return inner
        return next(
            (
                one
                for one in self.module(path)[1]
                if isinstance(one, cst.SimpleStatementLine) and list(one.body) == [inner]
            ),
            None,
        )

    def behind(self, path: Path, line: int) -> Edits | None:
        """Return what runs the kept statement behind the one on a line; None if nothing can."""
        around = [
            one
            for one, where in self.module(path)[1].items()
            if isinstance(one, cst.BaseSmallStatement | cst.BaseCompoundStatement)
            and where.start.line <= line <= where.end.line
        ]
        if not around:
            return None
        where = self.module(path)[1]
        inner = max(around, key=lambda one: (where[one].start.line, where[one].start.column))
        if isinstance(inner, cst.BaseSmallStatement):
            whole = self.line_of(path, inner)
            return {whole: _run_behind} if whole is not None else None
        body = getattr(inner, "body", None)
        return {body: _run_first} if isinstance(body, cst.IndentedBlock) else None


class _Replace(cst.CSTTransformer):
    """Puts other nodes in the places of some; what is inside of them is changed first."""

    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        """Return what stands for a node."""
        edit = self._edits.get(original_node)
        return updated_node if edit is None else edit(updated_node)


class _Maker:
    """Makes the mutants of one statement of a migration."""

    def __init__(self, path: Path, file: File, written: Written, texts: _Texts) -> None:
        self._path = path
        self._file = file
        self._written = written
        self._texts = texts
        self._code = " ".join(ast.unparse(written.statement).split())

    def _mutant(
        self,
        fault: str,
        detail: str,
        changes: Mapping[Path, bytes],
        two_gpus: bool = False,
        unlike_gpus: bool = False,
        same: str = "",
    ) -> Mutant:
        line = self._written.statement.lineno
        visible = any(last_name(call.func) == _CHOOSES for call in self._written.calls)
        return Mutant(
            fault, self._path, line, self._code, detail, changes, two_gpus, unlike_gpus, same,
            visible,
        )  # fmt: skip

    def _with(self, node: ast.expr, text: str) -> Mapping[Path, bytes]:
        """Return the file with another expression in the place of one."""
        found = self._texts.expression(self._path, self._file, node)
        new = cst.parse_expression(text)
        return {self._path: self._texts.edited(self._path, {found: lambda _: new})}

    def _own(self) -> cst.CSTNode:
        position = self._file.tree.position(self._written.statement)
        return self._texts.statement(self._path, position)

    def dropped(self, alone: bool) -> Mutant:
        """Return the program without this statement; `alone` where nothing else calls the same."""
        same = ""
        if alone:
            for call in self._written.calls[:1]:
                known = known_calls().get(last_name(call.func))
                if known and arguments(call) in known.put_back:
                    same = "it sets what TensorFlow 2 does by itself, and nothing else sets it"
        changes = {self._path: self._texts.edited(self._path, {self._own(): lambda _: cst.Pass()})}
        return self._mutant(DROPPED, "", changes, same=same)

    def values(self) -> Iterator[Mutant]:
        """Yield the program with another value for each one that the statement gives."""
        if self._written.value is not None:
            yield from self._environment(self._written.variable, self._written.value)
        for call in self._written.calls:
            known = known_calls().get(last_name(call.func))
            types = known.types if known else {}
            if not types and last_name(call.func) in load_rulebook().helpers:
                continue
            for number, argument in enumerate(call.args):
                yield from self._value(argument, types.get(number, ""))
            for keyword in call.keywords:
                yield from self._value(keyword.value, "")

    def _value(self, node: ast.expr, kind: str) -> Iterator[Mutant]:
        if isinstance(node, ast.Dict):
            for one in node.values:
                yield from self._value(one, kind)
            return
        text = another(node, kind)
        if text:
            detail = f"{ast.unparse(node)} -> {text}"
            yield self._mutant(VALUE, detail, self._with(node, text))

    def _environment(self, variable: str, value: ast.expr) -> Iterator[Mutant]:
        """Yield the program with a value of an environment variable that means something else."""
        rule = load_rulebook().variables.get(variable)
        if rule is None or not isinstance(value, ast.Constant):
            return
        others = [text for one in rule.meanings for text in one.values or () if text != value.value]
        if others and others[0]:
            yield self._mutant(
                VALUE, f"{value.value!r} -> {others[0]!r}", self._with(value, repr(others[0]))
            )

    def gpus(self) -> Iterator[Mutant]:
        """Yield the program with the setting on other GPUs."""
        for call in self._written.calls:
            if last_name(call.func) == _CHOOSES and call.args:
                chosen = ast.unparse(call.args[0])
                listing = _sibling(call, "list_physical_devices")
                text = (
                    "(lambda chosen, gpus: [gpu for gpu in gpus if gpu not in chosen and "
                    f'gpu != chosen])({chosen}, {listing}("GPU"))'
                )
                yield self._mutant(GPU, "those that it hides", self._with(call.args[0], text))
            elif call.args and isinstance(call.args[0], ast.Subscript):
                yield from self._next(call.args[0])
            elif call.args and isinstance(call.args[0], ast.Name):
                yield from self._not_on_the_first(call, call.args[0].id)

    def _next(self, node: ast.Subscript) -> Iterator[Mutant]:
        if isinstance(node.slice, ast.Slice) or "CPU" in ast.unparse(node.value):
            return
        gpus, index = ast.unparse(node.value), ast.unparse(node.slice)
        text = f"{gpus}[({index} + 1) % len({gpus})]"
        yield self._mutant(GPU, "the next one", self._with(node, text), two_gpus=True)

    def _not_on_the_first(self, call: ast.Call, gpu: str) -> Iterator[Mutant]:
        if gpu not in self._file.loop_variables(self._written):
            return
        own = self._own()
        visible = _sibling(call, "get_visible_devices")
        test = cst.parse_expression(f'{gpu} not in {visible}("GPU")[:1]')
        code = cst.parse_expression(ast.unparse(call))
        both = cst.Expr(cst.IfExp(test=test, body=code, orelse=cst.Name("None")))
        changes = {self._path: self._texts.edited(self._path, {own: lambda _: both})}
        yield self._mutant(GPU, "on all but the first", changes)

    def orders(self) -> Iterator[Mutant]:
        """Yield the program with the GPUs in another order, where their numbers count."""
        for call in self._written.calls:
            numbers = [one.value for one in call.args if isinstance(one, ast.Constant)]
            in_order = len(numbers) == len(call.args) > 1
            if in_order and last_name(call.func) in load_rulebook().helpers:
                text = f"{ast.unparse(call.func)}({', '.join(map(repr, reversed(numbers)))})"
                yield self._mutant(ORDER, "backwards", self._with(call, text), two_gpus=True)
            elif any(_is_name(one, self._numbers()) for one in call.args):
                for listing in self._file.enumerations(self._written):
                    gpus = ast.unparse(listing.args[0])
                    text = f"{gpus}[1:] + {gpus}[:1]"
                    changes = self._with(listing.args[0], text)
                    yield self._mutant(ORDER, "each with the next one's number", changes,
                                       two_gpus=True, unlike_gpus=True)  # fmt: skip

    def _numbers(self) -> set[str]:
        """Return the names of the numbers in the loops around the statement."""
        return {
            target.elts[0].id
            for outer in self._file.tree.within(self._written.statement)
            if isinstance(outer, ast.For)
            and isinstance(target := outer.target, ast.Tuple)
            and isinstance(target.elts[0], ast.Name)
        }

    def late(self, sessions: Sequence[tuple[Path, int]]) -> Iterator[Mutant]:
        """Yield the program with the statement, and what is around it, behind its next session.

        The statement becomes a function, which is called behind each place that makes a session,
        in whichever file that is, once.
        """
        edits: dict[Path, Edits] = {}
        for path, line in sessions:
            found = self._texts.behind(path, line)
            if found is None:
                return
            edits.setdefault(path, {}).update(found)
        position = self._file.tree.position(self._written.unit)
        whole = self._texts.line_of(self._path, self._texts.statement(self._path, position))
        if not edits or whole is None:
            return
        edits.setdefault(self._path, {})[whole] = _kept
        changes = {path: self._texts.edited(path, one) for path, one in edits.items()}
        yield self._mutant(LATE, "", changes)


def _kept(statement: cst.CSTNode) -> cst.FlattenSentinel[cst.BaseStatement]:
    """Return what keeps a statement for later."""
    assert isinstance(statement, cst.BaseStatement)
    body = cst.IndentedBlock([statement])
    function = cst.FunctionDef(cst.Name(_KEPT), cst.Parameters(), body)
    keep = cst.parse_statement(f'__import__("builtins").{_KEPT} = {_KEPT}')
    return cst.FlattenSentinel([function, keep])


def _run_behind(statement: cst.CSTNode) -> cst.CSTNode:
    """Return a line with what was kept behind it, however the line ends."""
    assert isinstance(statement, cst.SimpleStatementLine)
    behind = cst.Finally(cst.IndentedBlock([cst.parse_statement(_RUN_KEPT)]))
    return cst.Try(cst.IndentedBlock([statement]), finalbody=behind)


def _run_first(block: cst.CSTNode) -> cst.CSTNode:
    """Return a block that begins with what was kept."""
    assert isinstance(block, cst.IndentedBlock)
    return block.with_changes(body=[cst.parse_statement(_RUN_KEPT), *block.body])


def another(node: ast.expr, kind: str) -> str:
    """Return the text of another value of the same type; "" where none is known.

    `kind` is the type that the rules give the value, "" where they do not tell.
    """
    try:
        value = ast.literal_eval(node)
    except ValueError:
        text = ast.unparse(node)
        return {"bool": f"not ({text})", "int": f"({text}) + 1", "number": f"({text}) / 2"}.get(
            kind, ""
        )
    if isinstance(value, bool):
        return repr(not value)
    if isinstance(value, int):
        return repr(value // 2 if value > 1 else value + 1)
    return repr(value / 2) if isinstance(value, float) else ""


def _sibling(call: ast.Call, name: str) -> str:
    """Return another function of the module that has the function of a call."""
    assert isinstance(call.func, ast.Attribute)
    return f"{ast.unparse(call.func.value)}.{name}"


def _is_name(node: ast.expr, names: Iterable[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
