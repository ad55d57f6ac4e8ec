"""`tfgpu evidence`: what `tfgpu verify --evidence` wrote, checked by somebody else."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import say
from tfgpu.options import Options
from tfgpu.verify.evidence import Versions, statement, text_of, versions
from tfgpu.verify.evidence_check import (
    Files,
    NoEvidence,
    differing_parts,
    files_now,
    from_history,
    read_evidence,
)
from tfgpu.verify.gpus import choose
from tfgpu.verify.programs import (
    NothingToVerify,
    Prepared,
    migration,
    since_ref,
    taken_back,
    two_files,
)
from tfgpu.verify.scenarios import RANK_VARIABLES
from tfgpu.verify.scratch import commit_of
from tfgpu.verify.verdict import EXIT_CODES, Outcome, Verdict
from tfgpu.verify.verification import CANNOT_RUN, Settings, verify

_DIFFERS = EXIT_CODES[Outcome.MISMATCH]
_UNKNOWN = EXIT_CODES[Outcome.INCONCLUSIVE]
_QUICK = ", without numbers and other set-ups (--quick)"


def write_evidence(path: Path, program: Versions, verdict: Verdict, settings: Settings) -> None:
    """Write the evidence of a verdict to a file."""
    path.write_text(text_of(statement(program, verdict, settings)), "utf-8")


def described(pair: tuple[Prepared, Prepared], ref: str | None) -> Versions:
    """Return two versions of a program with what they are."""
    before, after = pair
    if ref:
        return versions(before, after, "ref", commit_of(after.root, ref))
    return versions(before, after, "migration" if before.script == after.script else "files")


@click.group()
def evidence() -> None:
    """Check what `tfgpu verify --evidence` wrote."""


@evidence.command(short_help="Check evidence against its schema and the files.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rerun", is_flag=True, help="Run the verification again and compare.")
@click.option("--python", default=sys.executable, metavar="PATH", help="As of `tfgpu verify`.")
@click.option("--before-python", metavar="PATH", help="As of `tfgpu verify`.")
def check(file: Path, rerun: bool, python: str, before_python: str | None) -> None:
    """Check the evidence in FILE against its schema and against the files of the program.

    Names of files are relative to the working directory.

    Exits with 0 where it says match, for these files; 1 where it says mismatch, or where a new run
    says something else; 2 for an error, such as a file that is no evidence; 3 where it is
    inconclusive, or not about these files.
    """
    root = Path.cwd()
    try:
        found = read_evidence(file)
        files = files_now(found, root)
        _say_what(file, found, files)
        if files.changed:
            sys.exit(_UNKNOWN)
        if rerun:
            _run_again(found, root, files, python, before_python)
    except NothingToVerify as error:
        say(f"run again: {error}")
        sys.exit(_DIFFERS)
    except (NoEvidence, OSError, *CANNOT_RUN) as error:
        raise click.UsageError(str(error)) from None
    sys.exit(EXIT_CODES[Outcome(found["predicate"]["outcome"])])


def _say_what(file: Path, found: Mapping[str, Any], files: Files) -> None:
    predicate = found["predicate"]
    set_ups = [one for one in predicate["set_ups"] if one["counts"]]
    same = sum(one["outcome"] == predicate["outcome"] for one in set_ups)
    versions_run = {one[leg]["tensorflow"] for one in set_ups for leg in ("before", "after")}
    say(
        f"{file}: {predicate['outcome']} in {same} of {len(set_ups)} set-ups, by tfgpu "
        f"{predicate['tool']['version']} with TensorFlow {', '.join(sorted(versions_run))}"
        f"{_QUICK if predicate['options']['quick'] else ''}"
    )
    if files.changed:
        say("inconclusive: it is not about the files that are here:")
        for name, kind in files.changed:
            say(f"  {name}: {kind}")
        return
    which = "" if files.state == "both" else f", as they are {files.state}"
    say(f"it is about these files{which}")


def _run_again(
    found: Mapping[str, Any], root: Path, files: Files, python: str, before_python: str | None
) -> None:
    """Verify again; end with 1 where another statement comes of it."""
    predicate = found["predicate"]
    program, options = predicate["program"], predicate["options"]
    os.chdir(root / program["folder"])
    for name in RANK_VARIABLES:
        os.environ.pop(name, None)
    os.environ.update(options["ranks"])
    scripts = [Path(os.path.relpath(root / program[one])) for one in ("before", "after")]
    if program["compared"] == "files":
        pair = two_files(scripts[0], scripts[1])
    elif program["compared"] == "ref":
        if files.state == "before":
            raise NoEvidence("the files are as before: check out those after")
        pair = since_ref(scripts[1], program["ref"])
    elif files.state == "after":
        pair = taken_back(scripts[1], from_history(found, root), program["bridge"])
    else:
        pair = migration(scripts[0], Options())
    arguments, *others = options["arguments"]
    settings = Settings(
        choose(options["gpus"]),
        python,
        before_python or python,
        options["steps"],
        options["timeout"],
        arguments,
        others=others,
        quick=options["quick"],
    )
    now = replace(described(pair, program["ref"]), compared=program["compared"])
    new = statement(now, verify(lambda: pair, settings), settings)
    parts = differing_parts(found, new)
    if parts:
        say(f"run again: {new['predicate']['outcome']}; what differs:")
        for part in parts:
            say(f"  {part}")
        sys.exit(_DIFFERS)
    say("run again: the same")
