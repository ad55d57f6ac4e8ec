"""Which files of a project are analysed as one: those that can be in one process with a config.

A program is an entry script with everything that it imports. What can matter for its configs stands
in files that build configs, that make sessions, start processes, write variables of the environment
or initialise the GPUs, and in all files that import one of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tfgpu.program.modules import Modules

# A program with no more files than this is read as a whole.
_FEW_FILES = 40
_SEED = re.compile(rb"ConfigProto|GPUOptions|gpu_options|session_config")
# What can matter for a config elsewhere in its program.
MATTERS = re.compile(
    rb"Session|\bsession\(|_session\(|environ\b|putenv|CUDA_VISIBLE|multiprocessing|fork\("
    rb"|ProcessPool|joblib|\bray\b|\b(?:tf|tensorflow)\.(?:contrib\.)?data\b|import Dataset"
    rb"|tf\.function|Strategy\(|list_logical|list_local_devices|is_gpu_available|simple_save"
    rb"|sharded|py_func|py_function"
)
# A call that makes a session, or a function that may, with something for a config.
_TAKES = re.compile(rb"Session\w*\([^)]*config|def[ \t]+\w+\([^)]*(?:config|options|session)")
# What may import, or run, any file of the project.
DYNAMIC = re.compile(
    rb"import_module\(|__import__\(|\brunpy\b|spec_from_file|SourceFileLoader|load_source"
    rb"|sys\.modules\[|\bexec\(|execfile\(|\bpkgutil\b|\btimeit\b|iter_entry_points|import_string|instantiate\("
)
# What makes sessions, or says what they have.
_SESSIONS = re.compile(rb"[Ss]ession\w*\(|ConfigProto|CUDA_VISIBLE|set_session")
_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")


def units(modules: Modules, gated: Mapping[str, bytes]) -> Iterator[list[str]]:
    """Yield the files that are analysed as one, sorted; each of `gated` is in one of the lists.

    `gated` are files that hold a word of interest, with their bytes. Other files of their programs
    are added where they can matter.
    """
    found = _Units(modules)
    for path, data in gated.items():
        found.members.setdefault(path, path)
        if _SEED.search(data):
            found.add_programs(path)
    yield from found.lists()


class _Units:
    def __init__(self, modules: Modules) -> None:
        self._modules = modules
        self.members: dict[str, str] = {}
        self._seen: set[str] = set()
        self._followed: set[str] = set()
        # What was searched for before, by pattern and path: closures share most of their files.
        self._has: dict[tuple[re.Pattern[bytes], str], bool] = {}

    def add_programs(self, seed: str) -> None:
        """Join a file that builds configs with what can matter in each of its programs."""
        modules = self._modules
        above = modules.programs(seed)
        tops = {path for path in above if not modules.importers(path)} or above
        if any(map(_TEST.search, above)):
            # pytest imports all test modules into one process.
            tops |= {path for path in modules.paths if _TEST.search(path)}
        for top in sorted(tops):
            self._join(seed, top)
            if top not in self._seen:
                self._seen.add(top)
                closure = modules.closure(top)
                for path in self._relevant(top, closure):
                    self._join(seed, path)
                    # Other programs may give it configs, or none.
                    if path not in self._followed and self._holds(_TAKES, path):
                        self._followed.add(path)
                        self.add_programs(path)
                if any(self._holds(DYNAMIC, path) for path in closure):
                    self._join_all(seed)

    def _holds(self, pattern: re.Pattern[bytes], path: str) -> bool:
        """Tell whether a pattern is found in the code of a file."""
        if (pattern, path) not in self._has:
            self._has[pattern, path] = pattern.search(self._modules.code(path)) is not None
        return self._has[pattern, path]

    def _join_all(self, seed: str) -> None:
        """Join a file with all that make sessions: the program may import any of them."""
        for path in self._modules.paths:
            known = path in self.members and self._find(path) == self._find(seed)
            if not known and self._holds(_SESSIONS, path):
                self._join(seed, path)

    def _relevant(self, top: str, closure: Iterable[str]) -> list[str]:
        """Return the files of a program that can matter for its configs."""
        files = sorted(closure)
        if len(files) <= _FEW_FILES:
            return files
        modules = self._modules
        own = [path for path in files if self._holds(MATTERS, path)]
        chosen = set(own) | {top}
        for path in own:
            chosen |= modules.programs(path) & set(files)
        return sorted(chosen)

    def _find(self, path: str) -> str:
        while self.members[path] != path:
            self.members[path] = self.members[self.members[path]]
            path = self.members[path]
        return path

    def _join(self, one: str, other: str) -> None:
        self.members.setdefault(other, other)
        self.members[self._find(other)] = self._find(one)

    def lists(self) -> Iterator[list[str]]:
        """Yield the members of each set, sorted."""
        found: dict[str, list[str]] = {}
        for path in self.members:
            found.setdefault(self._find(path), []).append(path)
        yield from map(sorted, found.values())
