"""What the other files of a project say of those that are analysed, found out when it is asked."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Any

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.engine import tree_of
from tfgpu.files.pattern import Pattern
from tfgpu.job import Job
from tfgpu.neighbours import AskedModes
from tfgpu.process import text_of
from tfgpu.program.asked import Asked, programs_with
from tfgpu.program.entries import may_run
from tfgpu.program.judge import Judge
from tfgpu.program.losses import Losses
from tfgpu.program.modules import Modules
from tfgpu.program.switch import plan_switches
from tfgpu.program.switches import Cause, Program
from tfgpu.program.uses import Uses
from tfgpu.program.version import Version
from tfgpu.rulebook.book import Rulebook

# What a file with names of TensorFlow 1 only has, as a rule, and by what it may have them of 2.
_LIKELY = (b"Session(", b".placeholder(", b".contrib", b"tf.app.", b"tf.flags")
_UNLIKELY = (b"compat",)
_CONFIG = Pattern((b"ConfigProto", b"GPUOptions"))


class Parsed:
    """Parses files of a project once, and finds what of TensorFlow they use."""

    def __init__(self, modules: Modules, job: Job) -> None:
        self.modules = modules
        self.job = job
        self._found: dict[str, tuple[Tree, Symbols] | None] = {}
        # By rules: files of one program may have house rules of their own.
        self._uses: dict[Rulebook, Uses] = {}

    def uses(self, book: Rulebook) -> Uses:
        """Return what the files use of TensorFlow, as rules know it."""
        if book not in self._uses:
            self._uses[book] = Uses(self.modules, self, book)
        return self._uses[book]

    def __call__(self, path: str) -> tuple[Tree, Symbols] | None:
        """Return the tree of a file, and what its names mean; None where it cannot be read."""
        if path not in self._found:
            text = text_of(path, self.modules.read(path), self.job)
            tree = None if text is None else tree_of(text, path)
            self._found[path] = None if tree is None else (tree, Symbols(tree))
        return self._found[path]

    def programs_with(self, *files: str) -> list[Program]:
        """Return the programs of the project that have one of some files."""
        if isinstance(self.modules, Asked):
            return self.modules.programs_with(*files)
        return programs_with(files, self.modules)


class GraphModes(AskedModes):
    """Whether the programs of files with configs build graphs only, once migrated.

    That is found out when somebody asks: not where all configs are kept for another reason. What
    another process found out comes back as a plain mapping.
    """

    def __init__(self, files: Mapping[str, bytes], parsed: Parsed) -> None:
        self._files = files
        self._parsed = parsed

    def planned(self, losses: Mapping[str, Losses]) -> dict[str, When]:
        """Return the modes where the files lose something."""
        modules, job = self._parsed.modules, self._parsed.job
        seeds = {path for path, data in self._files.items() if _CONFIG.search(data)}
        if not seeds or not modules.paths:
            return {}
        programs = self._parsed.programs_with(*sorted(seeds))
        uses = self._parsed.uses(job.book(self._files))
        switches = plan_switches(programs, uses, job.options, seeds, losses)
        return {path: switches.graph_mode(path) for path in seeds}

    def reached(self) -> dict[str, When]:
        """Return what was asked for so far."""
        return dict(self._known or {})

    def __reduce__(self) -> tuple[type[dict[str, When]], tuple[dict[str, When]]]:
        return dict, (self.reached(),)


class OfTensorFlow1(Container[str]):
    """The files of programs that may go on with TensorFlow 1, found out when somebody asks."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._judges: dict[Rulebook, Judge] = {}
        self._found: dict[str, bool] = {}

    def __contains__(self, path: object) -> bool:
        assert isinstance(path, str)
        if path not in self._found:
            judge = self._judge(self._parsed.job.book([path]))
            self._found[path] = self._is_run_by_one(path, judge) or _may_stay(
                self._parsed.programs_with(path), judge
            )
        return self._found[path]

    def _is_run_by_one(self, path: str, judge: Judge) -> bool:
        """Tell whether a likely script of TensorFlow 1 is one, and runs a file.

        Of large projects that saves reading all programs.
        """
        modules = self._parsed.modules
        return any(
            may_run(entry, path, modules) and judge.is_of_tensorflow1(entry)
            for entry in modules.holding(_LIKELY, _UNLIKELY)
        )

    def _judge(self, book: Rulebook) -> Judge:
        if book not in self._judges:
            self._judges[book] = Judge(self._parsed.uses(book))
        return self._judges[book]

    def __reduce__(self) -> tuple[type[frozenset[str]], tuple[list[str]]]:
        return frozenset, ([path for path, found in self._found.items() if found],)


def _may_stay(programs: Iterable[Program], judge: Judge) -> bool:
    """Tell whether one of some programs may go on with TensorFlow 1: it has names of that, say.

    One without a name of either version is taken for one of TensorFlow 2, unless the file that they
    share serves one in graphs, too: that may have been migrated.
    """
    nameless = in_graphs = False
    for program in programs:
        judged = judge.judged(program)
        if judged.obstacle is not None and judged.obstacle.cause is Cause.NO_NAME:
            nameless = True
        elif judged.version is Version.TF1 or judged.obstacle is not None:
            return True
        elif judge.mode(program, judged) is When.ALWAYS:
            in_graphs = True
    return nameless and in_graphs


class Libraries(Mapping[tuple[str, str], frozenset[str]]):
    """The libraries that files of a project import which are not analysed, by import of them."""

    def __init__(self, files: Collection[str], modules: Modules) -> None:
        self._files = frozenset(files)
        self._modules = modules
        self._found: dict[tuple[str, str], frozenset[str]] = {}

    def get(self, item: tuple[str, str], default: Any = None) -> Any:
        """Return the libraries of an import, `default` where it is of none of these files."""
        if item not in self._found:
            found = self._modules.find(*item)
            if found is None or found[0] in self._files:
                return default
            self._found[item] = self._modules.libraries(found[0])
        return self._found[item]

    def __getitem__(self, item: tuple[str, str]) -> frozenset[str]:
        return self._found[item]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __reduce__(self) -> tuple[type[dict[Any, Any]], tuple[dict[Any, Any]]]:
        return dict, (self._found,)
