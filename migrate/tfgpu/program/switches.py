"""What becomes of the imports of programs, and of each of their files: the answer of `switch`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import Enum

from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, field
from tfgpu.program.version import Version

# Line and column of a node, as `ast` counts them: they outlive the tree.
Spot = tuple[int, int]


class Why(Enum):
    """Why a file stays as it is; the text says it of the file."""

    NOTHING_CONVERTED = "nothing is converted in its program"
    SAME_NAMES = "every name that it uses means the same in TensorFlow 2"
    NOT_NEEDED = "nothing of TensorFlow 1 is left in its program"
    NO_TENSORFLOW = "it imports nothing of TensorFlow"
    NOT_TENSORFLOW1 = "its program is for TensorFlow 2, or for both"
    PROGRAM_STAYS = "its program cannot be switched as a whole"
    LEFT_ALONE = "its imports are left alone on request"


class Cause(Enum):
    """What keeps a program from being switched; the text is filled with `name` and `place`."""

    MISSING_NAME = "no TensorFlow 2 has $name"
    VERSION_QUESTION = "code asks which TensorFlow runs it"
    EAGER = "it runs eagerly: $name"
    TURNS_EAGER = "TensorFlow 1 runs it eagerly: $name"
    MIXED = "$name is of TensorFlow 2, other code is of TensorFlow 1"
    NO_NAME = "it has no name of TensorFlow 1"
    UNKNOWN_VERSION = "nothing tells which TensorFlow it is for"
    BESIDE = "it shares $name with a program that is, and may be for TensorFlow 2 as it stands"
    UNLIKE = "$name may do something else in eager code than in graphs"
    SHARED = "a program for another TensorFlow imports the file, too: $name"
    IMPORT_FORM = "an import that has no form in tensorflow.compat.v1: $name"
    TWO_LIBRARIES = "a name that another library gives, too: $name"
    SHOWN = "the program shows which module its TensorFlow is: $name"
    UNDONE = "tf.disable_v2_behavior(), which is called in several places, would undo $name"
    UNREADABLE = "a file of it cannot be read as Python 3"
    NOT_NAMED = "a file of it was not named: $name"
    REQUESTED = "the bridge was asked for"
    LOSES = "TensorFlow 2 makes the GPUs before the session of a config that is kept: $name"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps a program from being switched, and where: `line` is 0 for a whole file.

    `config` is the place of the config that would lose settings.
    """

    cause: Cause
    path: str
    line: int = 0
    name: str = ""
    config: str = ""

    @property
    def place(self) -> str:
        """Where it is, in words: `train.py:12`."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Disable:
    """A call of `disable_v2_behavior()` right after a statement, by a name of TensorFlow.

    An import of tensorflow.compat.v1 is added for it at the top of the file where there is no
    statement, and at the statement if it `is_added`; without a name the function itself is imported
    for the call. `through_v1` tells that the name was that of tensorflow.compat.v1 before.
    """

    statement: Spot | None
    name: str
    through_v1: bool = False
    is_added: bool = False


@dataclass(frozen=True, slots=True)
class Switched:
    """An import, or a statement `from tensorflow import *`, that is switched."""

    spot: Spot
    path: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A file whose imports become those of tensorflow.compat.v1.

    `imports` are what changes of them, `stars` the statements `from tensorflow import *`.
    """

    imports: tuple[Switched, ...] = ()
    stars: tuple[Switched, ...] = ()
    disable: tuple[Disable, ...] = ()


@dataclass(frozen=True, slots=True)
class Stay:
    """A file whose imports stay; `obstacle` where it is what keeps those of its whole program."""

    why: Why
    obstacle: Obstacle | None = None


FileSwitch = Switch | Stay


@dataclass(frozen=True, slots=True)
class Program:
    """What runs in one process: entry scripts, and every file that they import."""

    entries: tuple[str, ...]
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class ProgramSwitch:
    """What becomes of one program.

    `version` is the TensorFlow that it is written for, `graph_mode` whether it builds graphs only
    once migrated, `bridge` that its settings are spelled with names of TensorFlow 1.15, too.
    `obstacle` says why it is not switched, where it is not; `missing` where it uses names that no
    TensorFlow 2 has.
    """

    program: Program
    version: Version
    graph_mode: When
    files: Mapping[str, FileSwitch]
    bridge: bool = False
    obstacle: Obstacle | None = None
    missing: tuple[Obstacle, ...] = ()


@dataclass(frozen=True, slots=True)
class Switches:
    """What becomes of all programs of a run, and of their files.

    `bridged` are files whose settings are spelled with names of TensorFlow 1.15, too, `graphs`
    those whose sessions for Keras stay, with what may need graphs, where that is known.
    """

    programs: tuple[ProgramSwitch, ...]
    files: Mapping[str, FileSwitch] = field(default_factory=dict)
    bridged: frozenset[str] = frozenset()
    graphs: Mapping[str, Obstacle | None] = field(default_factory=dict)

    def of(self, path: str) -> Iterator[ProgramSwitch]:
        """Yield the programs that a file is part of."""
        return (found for found in self.programs if path in found.program.files)

    def file(self, path: str) -> FileSwitch:
        """Return the decision on the imports of a file."""
        return self.files.get(path, Stay(Why.NO_TENSORFLOW))

    def bridge(self, path: str) -> bool:
        """Tell whether settings in a file are spelled with names of TensorFlow 1.15, too."""
        return path in self.bridged

    def graph_mode(self, path: str) -> When:
        """Tell whether the programs of a file build graphs only, once migrated."""
        found = {switch.graph_mode for switch in self.of(path)}
        return found.pop() if len(found) == 1 else When.MAYBE


def spot(node: ast.AST) -> Spot:
    """Return where a node starts."""
    return node.lineno, node.col_offset  # type: ignore[attr-defined]
