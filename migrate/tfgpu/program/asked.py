"""What an analysis asked about the files around it, to tell whether the answers still hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

from tfgpu.digest import SIZE, blake2b
from tfgpu.files.pattern import Pattern
from tfgpu.program.entries import programs_of
from tfgpu.program.modules import Modules
from tfgpu.program.switches import Program

Method = TypeVar("Method", bound=Callable[..., Any])

# A method of `Asked`, and what it is called with.
Question = tuple[str, tuple[object, ...]]


def _noted(method: Method) -> Method:
    """Return a method that notes what it is called with, and asks the modules."""

    @wraps(method)
    def ask(self: Asked, *args: object) -> object:
        self._note(method.__name__, *args)
        return method(self._modules, *args)

    return cast(Method, ask)


class Asked(Modules):
    """Modules that note what they are asked.

    It has no files of its own: a method that is not here fails, and none goes unnoticed.
    """

    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self.paths = modules.paths
        self.beside = modules.beside
        self.questions: dict[Question, None] = {}

    def __reduce__(self) -> tuple[Callable[[Modules], Modules], tuple[Modules]]:
        """Become the modules themselves in another process."""
        return _same, (self._modules,)

    def _note(self, name: str, *args: object) -> None:
        self.questions[name, args] = None

    read = _noted(Modules.read)
    code = _noted(Modules.code)
    words = _noted(Modules.words)
    find = _noted(Modules.find)
    unsure = _noted(Modules.unsure)
    has_star = _noted(Modules.has_star)
    imports = _noted(Modules.imports)
    runs = _noted(Modules.runs)
    imported = _noted(Modules.imported)
    packages = _noted(Modules.packages)
    dotted = _noted(Modules.dotted)
    programs = _noted(Modules.programs)
    closure = _noted(Modules.closure)
    libraries = _noted(Modules.libraries)
    holding = _noted(Modules.holding)

    def holds(self, pattern: Pattern, path: str) -> bool:
        """Tell whether a pattern is found in the code of a file."""
        self._note("holds_parts", pattern.words, pattern.texts, path)
        return self._modules.holds(pattern, path)

    def holds_parts(self, words: tuple[bytes, ...], texts: tuple[bytes, ...], path: str) -> bool:
        """Tell whether a pattern, given by its parts, is found in the code of a file."""
        return Pattern(words, *texts).search(self._modules.code(path))

    def programs_with(self, *files: str) -> list[Program]:
        """Return the programs that have one of some files."""
        self._note("programs_with", *files)
        return programs_with(files, self._modules)


def programs_with(files: Collection[str], modules: Modules) -> list[Program]:
    """Return the programs of a run that have one of some files."""
    return [item for item in programs_of(modules) if not item.files.isdisjoint(files)]


def answers(questions: Iterable[Question], modules: Modules) -> bytes | None:
    """Return a digest of the answers to some questions; None where one cannot be asked any more."""
    digest = blake2b(digest_size=SIZE)
    asked = Asked(modules)
    try:
        for name, args in questions:
            digest.update(_plain(getattr(asked, name)(*args)))
    except (KeyError, OSError):
        return None
    return digest.digest()


def _plain(answer: object) -> bytes:
    """Return the bytes of an answer, which are the same for the same one."""
    if isinstance(answer, bytes):
        return b"b%d " % len(answer) + answer
    if isinstance(answer, frozenset):
        answer = sorted(answer)
    if isinstance(answer, list) and answer and isinstance(answer[0], Program):
        answer = [(program.entries, sorted(program.files)) for program in answer]
    return b"r" + repr(answer).encode("utf-8", "surrogatepass")


def _same(modules: Modules) -> Modules:
    return modules
