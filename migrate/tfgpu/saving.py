"""Writes the files that change: those of a program all, or none of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tfgpu.files.files import writable, write
from tfgpu.files.pyfile import SourceError
from tfgpu.place import place
from tfgpu.results import Result


def save(results: Iterable[Result], refused: Mapping[str, str]) -> None:
    """Write the files that change; those of a program stay where one of them cannot be written.

    `refused` are files that are not to be written, with the reason. What stays has its reason then.
    """
    for group in by_programs(results):
        problems = {result.path: why for result in group if (why := _problem(result, refused))}
        for result in group:
            if not problems and result.new is not None:
                try:
                    write(result.path, result.old, result.new)
                except SourceError as error:
                    problems[result.path] = str(error)
            _leave(result, problems)


def held(results: Iterable[Result]) -> list[Result]:
    """Return all results; programs of which a file cannot change stay, as `save` leaves them."""
    found = list(results)
    for group in by_programs(found):
        problems = {result.path: why for result in group if (why := result.reason) is not None}
        for result in group:
            _leave(result, problems)
            if problems:
                result.new_text = None
    return found


def by_programs(results: Iterable[Result]) -> list[list[Result]]:
    """Return the files that change; those of programs that share one are together."""
    changing = [result for result in results if result.changes]
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (higher := above.setdefault(name, name)) != name:
            above[name] = name = above[higher]
        return name

    for result in changing:
        for program in result.programs:
            above[top(result.path)] = top(program)
    groups: dict[str, list[Result]] = {}
    for result in changing:
        groups.setdefault(top(result.path), []).append(result)
    return list(groups.values())


def _leave(result: Result, problems: Mapping[str, str]) -> None:
    """Note why a file is not written, if there are problems with files of its program."""
    if problems and result.reason is None:
        others = f"its program stays as it is, because of {place(next(iter(problems)))}"
        result.reason = problems.get(result.path, f"{others}; not changed")
        result.unwritten = True


def _problem(result: Result, refused: Mapping[str, str]) -> str | None:
    """Return why a file cannot be written, as far as that shows before."""
    if result.reason is not None:
        return result.reason
    if result.path in refused:
        return refused[result.path]
    try:
        writable(result.path, result.old)
    except SourceError as error:
        return str(error)
    return None
