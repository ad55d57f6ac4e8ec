"""How the files of a project change the folders in which Python looks for modules."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression

_PUTS_FIRST = expression(
    rb"sys\.path(?:\.insert(?!\(\s*[1-9])|\.(?:pop|remove|clear|reverse|sort)\b|[ \t]*=|\[)"
)
_CHANGES = (b"sys.path", b"addsitedir", b"from sys import")
# What is put on the search path.
_PUTS = expression(
    rb"(?:\bsys\.path(?:\.(?:insert|append|extend)|(?:\[[^\]\n]*\])?[ \t]*\+?=(?!=))|"
    rb"\baddsitedir)([^\n]*(?:[(\[,]\s*\n[^\n]*)*)"
)
_OTHER_NAME = expression(rb"\bfrom sys import\b[^\n]*\bpath\b")
# What names no folder that a run chooses.
_FIXED = expression(
    rb"(?:__file__|os|sys|path|pathlib|osp|op|Path|PurePath|join|dirname|abspath|realpath|normpath|"
    rb"resolve|parents?|absolute|pardir|curdir|getcwd|cwd|str|expanduser|insert|append|split|"
    rb"exists|isdir|if|else|for|in|not|and|or|as_posix|inspect|getfile|currentframe)"
)
_NAME = expression(rb"[A-Za-z_]\w*")
_TEXT = expression(rb"\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*")


@dataclass(frozen=True, slots=True)
class SearchPath:
    """What the files of a project put on the search path.

    `changes` tells that a file may change it, `puts_first` that one puts a folder in front of
    that of the script, or takes this away, `computed` that one puts a folder there that only a run
    names. `words` are those of all files that may change it: names of folders are among them;
    `folders` are those in which such files stand, and the two above each, which `__file__` may
    stand for.
    """

    changes: bool
    puts_first: bool
    computed: bool
    words: frozenset[bytes]
    folders: frozenset[tuple[str, ...]]

    @classmethod
    def of(
        cls,
        paths: Mapping[str, tuple[str, ...]],
        read: Callable[[str], bytes],
        words: Callable[[str], frozenset[bytes]],
    ) -> SearchPath:
        """Return what some files, with the parts of their paths, put there.

        `read` gives the bytes of a file, `words` the words in it.
        """
        found = [path for path in paths if any(word in read(path) for word in _CHANGES)]
        texts = [read(path) for path in found]
        return cls(
            bool(found),
            any(map(_PUTS_FIRST.search, texts)),
            any(map(_computes, texts)),
            frozenset().union(*map(words, found)),
            frozenset(
                paths[path][:-above]
                for path, text in zip(found, texts, strict=True)
                if b"__file__" in text
                for above in (1, 2, 3)
            ),
        )

    def may_have(self, folder: tuple[str, ...]) -> bool:
        """Tell whether a file that changes the search path names a folder, given by its parts."""
        named = bool(folder) and os.fsencode(folder[-1]) in self.words
        return self.changes and (named or folder in self.folders)


def _computes(code: bytes) -> bool:
    """Tell whether a file puts a folder on the search path that is not written in it."""
    if _OTHER_NAME.search(code):
        return True
    waiting: list[bytes] = _PUTS.findall(code)
    seen: set[bytes] = set()
    while waiting:
        for name in _NAME.findall(_TEXT.sub(b"", waiting.pop())):
            if name in seen or _FIXED.fullmatch(name):
                continue
            seen.add(name)
            given = re.findall(rb"\n[ \t]*%s[ \t]*=(?!=)([^\n]*)" % name, b"\n" + code)
            if not given:
                return True
            waiting += given
    return False
