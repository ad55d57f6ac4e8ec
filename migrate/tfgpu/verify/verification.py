"""One verification: two programs laid out, run in the same set-ups, and compared."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from tfgpu.verify.compare.configuration import deciding
from tfgpu.verify.gpus import Machine
from tfgpu.verify.isolation.mechanism import MECHANISMS, Mechanism, NotIsolated, choose
from tfgpu.verify.isolation.untouched import Snapshot, Touched
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.keras import has_keras_2, has_module, needs_keras_2
from tfgpu.verify.legs import Leg, Program, Surroundings, Version
from tfgpu.verify.numbers import added, judged, with_numbers
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import Observed, Pair, Runner, run_each, run_pairs
from tfgpu.verify.programs import Prepared, change_of, with_uses, with_values
from tfgpu.verify.remedies import what_to_add
from tfgpu.verify.scenarios import Scenario, scenarios
from tfgpu.verify.scratch import ScratchError, whole_size
from tfgpu.verify.simgpu.build import CannotBuild, build
from tfgpu.verify.simgpu.gpus import SpecError
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import NoTensorFlow, find_target
from tfgpu.verify.together import comparisons, notes_on, settled, without_chance
from tfgpu.verify.verdict import Entry, Outcome, Verdict, bound_of, decisive


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

STAND_INS = Path(__file__).parent / "stand_ins"
"""The folder with modules that stand in for others."""

# What `--quick` leaves out.
_QUICK = "without numbers and other set-ups (--quick)"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run two programs.

    `steps` ends each after that many runs of the same fetches (0: never), `timeout` after that many
    seconds. `python` and `before_python` are the interpreters of the legs. `mechanisms` are the
    ways to keep a program from the user's files, of which the first that works is taken.
    `argv` are the program's arguments, `others` further lists of them; `quick` leaves out all
    set-ups but the own one (see `scenarios.py`). `until` stops each program at its first session;
    one that has changes behind is run again and `goes_on` with zeros for what its steps compute.
    `stubs` are modules that are stood in for; `synthetic` makes data that is missing.
    """

    machine: Machine
    python: str
    before_python: str
    steps: int = 5
    timeout: float = 300
    argv: Sequence[str] = ()
    mechanisms: Sequence[Mechanism] = MECHANISMS
    others: Sequence[Sequence[str]] = ()
    quick: bool = False
    until: bool = False
    goes_on: bool = False
    stubs: Sequence[str] = ()
    synthetic: bool = False


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
    settings = _whole(settings)
    before, after = prepare()
    before, after = with_values(before, after, [settings.argv, *settings.others])
    if settings.until:
        before, after = with_uses(before), with_uses(after)
    verdict = _verified(before, after, settings)
    if settings.until and _is_behind(verdict):
        verdict = _verified(before, after, replace(settings, goes_on=True))
    return verdict


def _is_behind(verdict: Verdict) -> bool:
    """Tell whether what was changed, and did not run, may be behind the first step."""
    legs = (verdict.before, verdict.after)
    return (
        verdict.outcome is Outcome.INCONCLUSIVE
        and any(leg.not_run for leg in legs)
        and all(leg.reached for leg in legs)
        and any(leg.ended == "session" for leg in legs)
    )


def _verified(before: Prepared, after: Prepared, settings: Settings) -> Verdict:
    with _apart(before, after, settings) as around:
        first, second = around.before(before), around.after(after)
        found = _set_ups(settings, before.ranks | after.ranks)
        pairs = [Pair(one, (around.leg(first, one), around.leg(second, one))) for one in found]
        computing = with_numbers(pairs[0]) if _computes(settings) else None
        pairs += [computing] if computing else []
        with closing(Runner(around.work, _may_fork(before, after))) as runner:
            observed, unsettled = settled(
                run_pairs(pairs, runner),
                lambda: run_each(pairs[0].scenario, pairs[0].legs[:1], runner, "files")[0],
            )
            around.snapshot.check(
                _written(*(leg for one in observed for leg in (one.before, one.after)))
            )
            numbers = judged(computing, observed, around.work)
            shown = [
                one for one in observed if one.scenario is not (computing and computing.scenario)
            ]

            number = itertools.count()

            def again(scenario: Scenario) -> Observation:
                legs = next(one.legs for one in pairs if one.scenario is scenario)
                return run_each(scenario, legs[:1], runner, f"chance-{next(number)}")[0]

            verdict = around.verdict(shown, numbers, again)
        return replace(
            verdict,
            change=change_of(before, after),
            caveats=[*_caveats(verdict, after, settings)],
            notes=[
                *verdict.notes,
                *unsettled,
                *_notes(before, after, settings),
            ],
            add=_what_to_add(verdict, before, after, settings),
        )


def _computes(settings: Settings) -> bool:
    """Tell whether numbers are computed in further legs."""
    return settings.machine.simulated is not None and not settings.quick and not settings.until


def verify_each(before: Prepared, afters: Sequence[Prepared], settings: Settings) -> list[Verdict]:
    """Run a program, and several others, and compare each of them with it.

    They have one root. One that differs in a set-up is not run in the next.

    Raises:
        What `verify` raises.
    """
    settings = _whole(settings)
    with (
        _apart(before, before, settings) as around,
        closing(Runner(around.work, _may_fork(before, *afters))) as runner,
    ):
        ranks = before.ranks.union(*(one.ranks for one in afters))
        first, *programs = [around.before(before), *map(around.after, afters)]
        observed: list[list[Observed]] = [[] for _ in afters]
        verdicts: dict[int, Verdict] = {}
        left = list(range(len(afters)))
        for number, scenario in enumerate(_set_ups(settings, ranks)):
            legs = [around.leg(one, scenario) for one in (first, *(programs[n] for n in left))]
            base, *others = run_each(scenario, legs, runner, f"{number}")
            around.snapshot.check(_written(base, *others))
            for n, one in zip(left, others, strict=True):
                observed[n].append(Observed(scenario, base, one))
                verdicts[n] = around.verdict(observed[n])
            left = [n for n in left if verdicts[n].outcome is not Outcome.MISMATCH]
            if not left:
                break
        return [verdicts[n] for n in range(len(afters))]


def _may_fork(*programs: Prepared) -> bool:
    """Tell whether TensorFlow may be imported before programs that name what the import reads."""
    return not any(one.early for one in programs)


def _set_ups(settings: Settings, ranks: frozenset[str]) -> list[Scenario]:
    """Return the set-ups for programs that ask for some variables of a rank."""
    pythons = {settings.python, settings.before_python}
    return scenarios(
        settings.machine,
        [settings.argv, *settings.others],
        ranks,
        os.environ,
        settings.quick,
        horovod=bool(ranks) and all(has_module(python, "horovod") for python in pythons),
    )


def _caveats(verdict: Verdict, after: Prepared, settings: Settings) -> Iterator[str]:
    """Yield what a reader of a verdict must not overlook."""
    if settings.goes_on:
        yield "with zeros for what each step computes"
    elif settings.until:
        yield "until the first session"
    stubs = {name for leg in (verdict.before, verdict.after) for name in leg.stubs}
    used = [one for one in settings.stubs if any(f"{n}.".startswith(f"{one}.") for n in stubs)]
    if used:
        yield f"with stand-ins for {', '.join(used)}"
    if verdict.before.synthetic or verdict.after.synthetic:
        yield "with synthetic data"
    if settings.quick and not settings.until:
        yield _QUICK
    if _given():
        yield f"with {_given()} of this environment"
    if after.same:
        yield f"both sides are the same text ({after.same})"


def _what_to_add(verdict: Verdict, before: Prepared, after: Prepared, settings: Settings) -> str:
    """Return the options with which a program that could not be run gets further, or ""."""
    if verdict.outcome is not Outcome.INCONCLUSIVE:
        return ""
    return what_to_add(
        (before, verdict.before, settings.before_python),
        (after, verdict.after, settings.python),
        settings,
    )


def _given() -> str:
    """Return the variables of the user's that decide in the programs' place, with their values."""
    return " ".join(f"{name}={os.environ[name]}" for name in deciding() if name in os.environ)


def _notes(before: Prepared, after: Prepared, settings: Settings) -> Iterator[str]:
    """Yield what is to be noted of how two programs were run, whatever their runs show."""
    if _given():
        yield f"the environment had {_given()} in the set-ups that were asked for, and in no other"
    if settings.goes_on:
        yield (
            "what was changed is behind the first step, too: no step of a session was run, and "
            "what each puts out was zeros of its shape and type; the graph of each session was "
            "placed, and each of its devices computed one product"
        )
    lines = dict.fromkeys(text for _, text in (*before.left_out, *after.left_out))
    if lines:
        yield f"lines of IPython's that were not run: {'; '.join(lines)}"


def _written(*legs: Observation) -> list[tuple[str, bool]]:
    return [path for leg in legs for path in leg.written]


def _whole(settings: Settings) -> Settings:
    return replace(
        settings,
        python=_interpreter(settings.python),
        before_python=_interpreter(settings.before_python),
    )


@contextmanager
def _apart(before: Prepared, after: Prepared, settings: Settings) -> Iterator[_Around]:
    """Yield what the legs of two programs have around them, which keeps them apart."""
    with workspace() as work:
        try:
            mechanism = choose(work, settings.mechanisms)
        except NotIsolated as error:
            raise NotIsolated(
                f"nothing here keeps a program from your files ({error}); both runs would need "
                f"whole copies of {whole_size(before.root)}"
            ) from None
        snapshot = Snapshot({before.root, after.root})
        yield _Around(settings, mechanism, work, snapshot, before)


def _interpreter(python: str) -> str:
    """Return the whole path of an interpreter: the legs run in other folders.

    Links are kept, since a virtual environment's interpreter is one.
    """
    found = shutil.which(python)
    if found is None:
        raise NoInterpreter(f"there is no interpreter {python}, or it cannot be run")
    return os.path.abspath(found)  # noqa: PTH100 - Path.resolve() follows links


@dataclass(frozen=True, slots=True)
class _Around:
    """What the legs of all scenarios have around them; `first` is the program before."""

    settings: Settings
    mechanism: Mechanism
    work: Path
    snapshot: Snapshot
    first: Prepared
    _libraries: dict[str, Path] = field(default_factory=dict)

    def before(self, prepared: Prepared) -> Program:
        """Return the program of the first leg."""
        return self._program(prepared, self.settings.before_python, None)

    def after(self, prepared: Prepared) -> Program:
        """Return the program of the second leg."""
        return self._program(prepared, self.settings.python, self.first)

    def _program(self, prepared: Prepared, python: str, before: Prepared | None) -> Program:
        # What is the same code is run the same way.
        is_same = before is not None and not (prepared.statements or before.statements)
        to_run = before is None or prepared.bridge or is_same
        version1 = to_run and not find_target(python).is_version1
        return Program(
            **{one.name: getattr(prepared, one.name) for one in fields(Version)},
            python=python,
            stands_in=version1 and prepared.tensorflow1,
            version1=version1,
            legacy_keras=needs_keras_2(prepared, before) and has_keras_2(python),
        )

    def verdict(
        self,
        observed: Sequence[Observed],
        numbers: Entry | None = None,
        again: Callable[[Scenario], Observation] | None = None,
    ) -> Verdict:
        """Return the verdict over what some scenarios showed, and over the numbers if any.

        `again` runs the program before once more (see `together.without_chance`).
        """
        settings = self.settings
        simulated = settings.machine.simulated is not None
        compared = comparisons(observed, simulated)
        if again:
            compared = without_chance(compared, again, simulated)
        if numbers:
            compared = added(compared, numbers)
        shown = decisive(compared)
        return Verdict(
            shown.scenario.machine.description,
            simulated,
            shown.before,
            shown.after,
            shown.aspects,
            list(notes_on(compared, self.mechanism)),
            isolation=self.mechanism.kind,
            bound="" if settings.until else bound_of(settings.steps),
            scenarios=compared,
        )

    def leg(self, program: Program, scenario: Scenario) -> Leg:
        """Return a program in a scenario."""
        settings, gpus = self.settings, scenario.machine.simulated
        environment, libraries = dict(os.environ), None
        if scenario.tried:
            for name in deciding():
                environment.pop(name, None)
        if gpus is not None:
            libraries = self._driver(program.python)
            environment = simulated_environment(gpus, libraries, base=environment)
        environment.update(scenario.variables)
        paths = [str(STAND_INS)] if scenario.horovod_stands_in else []
        around = Surroundings(
            environment,
            libraries,
            settings.steps,
            settings.timeout,
            self.mechanism,
            paths,
            settings.until,
            settings.goes_on,
            settings.stubs,
            settings.synthetic,
        )
        return replace(program, argv=scenario.argv), around

    def _driver(self, python: str) -> Path:
        """Return the simulated driver for the TensorFlow of an interpreter."""
        if python not in self._libraries:
            self._libraries[python] = build(find_target(python))
        return self._libraries[python]
