"""Names of the files that a leg wrote, such that two runs of one program give the same ones.

A name is a path as seen from the program's folder. What differs from run to run is left out of it:
times, process ids, random letters of temporary files. Caches and bytecode are no results.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from tfgpu.verify.legs import Program

_SCRIPT, _FOLDER = "<script>", "<folder of the script>"

# Folders whose contents are not the program's, and files that libraries leave behind.
_NOT_RESULTS = re.compile(
    r"(^|/)(__pycache__|\.cache|\.keras|\.config|\.nv|\.local|\.matplotlib|\.ipython|\.triton)(/|$)"
    r"|\.py[co]$|(^|/)__autograph_generated_file|(^|/)\.nfs|^/var/cache/"
    # Semaphores and shared memory of Python and of OpenMP, which have names by chance.
    r"|^/dev/shm/(sem\.|psm_|__KMP_)"
)
# Event files have a time, a host and a process in their names.
_EVENTS = re.compile(r"(events\.out\.tfevents|[^/]*\.profile-empty|plugins/profile)[^\n]*$")
_TEMPORARY = re.compile(r"\btmp[a-z0-9_]{6,10}(?=$|[./])")
# Dates, times, process ids, identifiers.
_CHANCE = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{2,4}[-_.]\d{1,2}[-_.]\d{1,2}(?:[-_.T ]\d{1,2}[-_.:h]\d{1,2}(?:[-_.:m]\d{1,2})?)?"
    r"|\d{1,2}[-:h]\d{2}[-:m]\d{2}|\d{6,}"
    r"|(?<![a-z0-9])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?![a-z0-9])"
)
# A smaller process id may be any number of the program's.
_LEAST_PROCESS = 100
_NUMBER = re.compile(r"\d+")


def names_of(written: Iterable[tuple[str, bool]], program: Program, process: int) -> list[str]:
    """Return the names of files that a leg wrote or removed."""
    laid_out = {str(path) for path in program.changes}
    found = {
        f"{name} (removed)" if removed else name
        for path, removed in written
        if path not in laid_out and (name := name_of(path, program, process))
    }
    return sorted(found)


def name_of(path: str, program: Program, process: int) -> str:
    """Return the name of a file, "" for one that is no result of the program.

    Files beside a script that does not lie on top of its project are named from there, and those
    that are named after the script do not have its name: two programs that are two files share it.
    """
    name, folder = path, program.script.parent
    if folder != program.root and Path(path).is_relative_to(folder):
        name = f"{_FOLDER}/{os.path.relpath(path, folder)}"
    elif Path(path).is_relative_to(program.root):
        name = os.path.relpath(path, program.root)
    if _NOT_RESULTS.search(name):
        return ""
    stem = program.script.stem
    words = [
        _SCRIPT + one[len(stem) :] if one == stem or one.startswith(stem + ".") else one
        for one in name.split("/")
    ]
    name = _EVENTS.sub(r"\1", "/".join(words))
    if process >= _LEAST_PROCESS:
        name = re.sub(rf"(?<!\d){process}(?!\d)", "#", name)
    return _CHANCE.sub("#", _TEMPORARY.sub("tmp#", name))


def without_numbers(name: str) -> str:
    """Return a name for programs that do not count their steps alike."""
    return _NUMBER.sub("#", name)
