"""What is known of the files around those that are analysed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping

from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, field
from tfgpu.decide.libraries import LeftOut
from tfgpu.program.losses import Losses
from tfgpu.program.switches import Switches


class AskedModes(Mapping[str, When]):
    """Whether the programs of files build graphs only, once migrated, found out when asked for.

    To ask how many there are, or whether there are any, is to ask for them.
    """

    _known: dict[str, When] | None = None

    @abstractmethod
    def planned(self, losses: Mapping[str, Losses]) -> dict[str, When]:
        """Return the modes where the files lose something."""

    def settle(self, losses: Mapping[str, Losses]) -> bool:
        """Take into account what the files lose; tell whether that changed any answer."""
        known = self._found
        planned = self.planned(losses)
        self._known = {
            path: mode if mode is planned[path] else When.MAYBE for path, mode in known.items()
        }
        return self._known != known

    @property
    def _found(self) -> dict[str, When]:
        if self._known is None:
            self._known = self.planned({})
        return self._known

    def __getitem__(self, path: str) -> When:
        return self._found[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the files around those that are analysed.

    `switches` says what becomes of the imports of programs; without it a file is a program of its
    own. `rebound` are names of modules that other files assign to, `started` imports of modules
    that certainly initialise the runtime, by the importing file and what it imports: the call that
    does so, and its place. `unreadable` has, for files whose programs hold one that cannot be read,
    the path of that; `graph_mode` tells of files whether their programs build graphs only, once
    migrated; of `starred` files others import all names; `asked` has for each file the words of
    those that import it and are not analysed with it. Files of `beside` were not named: they
    decide, and are not changed. Programs of files of `tensorflow1` may go on with TensorFlow 1.
    `left_out` has, for imports (file and dotted path) of files of the project that are not
    analysed, the libraries that those import.
    """

    switches: Switches | None = None
    rebound: frozenset[tuple[str, str]] = frozenset()
    started: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    graph_mode: Mapping[str, When] = field(default_factory=dict)
    starred: frozenset[str] = frozenset()
    asked: Mapping[str, frozenset[str]] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()
    tensorflow1: Container[str] = frozenset()
    left_out: LeftOut = field(default_factory=dict)


NOTHING = Around()
