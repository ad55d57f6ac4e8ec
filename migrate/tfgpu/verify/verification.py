"""One verification: two programs laid out, run on the same GPUs, and compared."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tfgpu.verify.compare import compare
from tfgpu.verify.gpus import Machine
from tfgpu.verify.isolation.mechanism import MECHANISMS, Mechanism, NotIsolated, choose
from tfgpu.verify.isolation.untouched import Snapshot, Touched
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.legs import Program, Surroundings
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import run_on_real, run_on_simulated
from tfgpu.verify.programs import Prepared
from tfgpu.verify.scratch import ScratchError, whole_size
from tfgpu.verify.simgpu.build import CannotBuild, build
from tfgpu.verify.simgpu.gpus import SpecError
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import NoTensorFlow, find_target
from tfgpu.verify.verdict import Verdict


class NoInterpreter(Exception):
    """There is no such Python; the message says which."""


# What ends a verification before there is a verdict: a wrong description of GPUs, no interpreter,
# no TensorFlow with CUDA, no simulated driver, a folder that cannot be copied, nothing that keeps a
# program from the user's files; and files that changed although something should.
CANNOT_RUN = (
    SpecError,
    NoInterpreter,
    NoTensorFlow,
    CannotBuild,
    ScratchError,
    NotIsolated,
    Touched,
)

# Keras 3, which has no sessions, came with this version.
_KERAS_3 = (2, 16)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run two programs.

    `steps` ends each after that many runs of the same fetches (0: never), `timeout` after that many
    seconds. `python` and `before_python` are the interpreters of the legs. `mechanisms` are the
    ways to keep a program from the user's files, of which the first that works is taken.
    """

    machine: Machine
    python: str
    before_python: str
    steps: int = 5
    timeout: float = 300
    argv: Sequence[str] = ()
    mechanisms: Sequence[Mechanism] = MECHANISMS


def verify(prepare: Callable[[], tuple[Prepared, Prepared]], settings: Settings) -> Verdict:
    """Run two programs and compare them; `prepare` says which.

    Raises:
        NoInterpreter: an interpreter cannot be run.
        NoTensorFlow: an interpreter has none, or one that cannot use GPUs.
        NoCompiler: the simulated driver cannot be built.
        NotIsolated: nothing here keeps a program from the user's files.
        Touched: files of the user's changed in the meantime.
        ScratchError, NothingToVerify: from `prepare`.
    """
    settings = replace(
        settings,
        python=_interpreter(settings.python),
        before_python=_interpreter(settings.before_python),
    )
    before, after = prepare()
    with workspace() as work:
        try:
            mechanism = choose(work, settings.mechanisms)
        except NotIsolated as error:
            raise NotIsolated(
                f"nothing here keeps a program from your files ({error}); both runs would need "
                f"whole copies of {whole_size(before.root)}"
            ) from None
        snapshot = Snapshot({before.root, after.root})
        legacy = _legacy_keras(before, settings)
        first = _program(before, settings, settings.before_python, legacy, is_before=True)
        second = _program(after, settings, settings.python, legacy, is_before=False)
        machine = settings.machine
        run = run_on_real if machine.simulated is None else run_on_simulated
        legs = run(
            machine,
            (first, _surroundings(settings, settings.before_python, mechanism)),
            (second, _surroundings(settings, settings.python, mechanism)),
            work,
        )
        snapshot.check([path for leg in legs for path in leg.written])
        return _verdict(machine, *legs, legacy, mechanism, settings)


def _interpreter(python: str) -> str:
    """Return the whole path of an interpreter: the legs run in other folders.

    Links are kept, since a virtual environment's interpreter is one.
    """
    found = shutil.which(python)
    if found is None:
        raise NoInterpreter(f"there is no interpreter {python}, or it cannot be run")
    return os.path.abspath(found)  # noqa: PTH100 - Path.resolve() follows links


def _verdict(
    machine: Machine,
    before: Observation,
    after: Observation,
    legacy: bool,
    mechanism: Mechanism,
    settings: Settings,
) -> Verdict:
    simulated = machine.simulated is not None
    notes: list[str] = []
    if before.stands_in:
        notes.append(
            f"before: tensorflow stood for tensorflow.compat.v1 of {before.tensorflow}, with the "
            "behaviour of TensorFlow 2 off, since the program does not run as it is; where graph "
            "code makes an eager context before the session (Dataset.map, for one), only "
            "TensorFlow 1.15 shows what version 1 did (--before-python)"
        )
    if legacy:
        notes.append("both legs ran on tf_keras (Keras 2): Keras 3 has no sessions")
    if "steps" in (before.ended, after.ended):
        notes.append(
            f"stopped after {max(before.steps, after.steps)} runs of the same step; what a program "
            "does after that was not compared"
        )
    notes.append(mechanism.words)
    read_only = sorted({*before.read_only, *after.read_only})
    if read_only:
        notes.append(f"neither run could write below {', '.join(read_only)}")
    aspects = compare(before, after, simulated)
    bound = f"the first {settings.steps} runs of each step" if settings.steps else ""
    return Verdict(
        machine.description,
        simulated,
        before,
        after,
        aspects,
        notes,
        isolation=mechanism.kind,
        bound=bound,
    )


def _program(
    prepared: Prepared, settings: Settings, python: str, legacy: bool, is_before: bool
) -> Program:
    return Program(
        name=prepared.name,
        script=prepared.script,
        root=prepared.root,
        folder=prepared.folder,
        python=python,
        argv=settings.argv,
        stands_in=is_before and prepared.tensorflow1 and not _is_tensorflow1(python),
        legacy_keras=legacy,
        changes=prepared.changes,
        statements=prepared.statements,
        assumptions=prepared.assumptions,
    )


def _is_tensorflow1(python: str) -> bool:
    return find_target(python).version.startswith("1.")


def _surroundings(settings: Settings, python: str, mechanism: Mechanism) -> Surroundings:
    environment, libraries = dict(os.environ), None
    if settings.machine.simulated is not None:
        libraries = build(find_target(python))
        environment = simulated_environment(settings.machine.simulated, libraries)
    return Surroundings(environment, libraries, settings.steps, settings.timeout, mechanism)


def _legacy_keras(before: Prepared, settings: Settings) -> bool:
    """Tell whether the legs need Keras 2 beside a TensorFlow with Keras 3, and have it."""
    if not (before.keras and before.tensorflow1):
        return False
    return all(_has_tf_keras(python) for python in {settings.python, settings.before_python})


def _has_tf_keras(python: str) -> bool:
    version = tuple(map(int, find_target(python).version.split(".")[:2]))
    if version < _KERAS_3:
        return False
    code = "import importlib.util as u, sys; sys.exit(u.find_spec('tf_keras') is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0
