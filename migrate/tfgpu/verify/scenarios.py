"""In which set-ups two programs are run: sets of GPUs, lists of arguments, ranks.

| set-up | why |
|---|---|
| the own one | the GPUs and arguments that were asked for; a match needs its evidence |
| other arguments | each list is asked for, too |
| ranks | where the program asks for one: those of a host, and one of a second host |
| one GPU | a program may choose among several, or count them |
| other sizes | a limit that was worked out for one size is wrong for another |
| one more GPU (of these) | a list, or a number, of GPUs may happen to be all of the own ones |
| no GPU | TensorFlow takes a config that names GPUs where there are none (1.15 aborts) |

The last three are simulated: real GPUs are run as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tfgpu.verify.gpus import Machine
from tfgpu.verify.simgpu.gpus import Gpu

# The memory of cards of other sizes, as parts of that of the own ones; none has more, since
# TensorFlow keeps books about memory that it takes in advance. No two of a host are alike.
_PARTS = (3 / 4, 1 / 2, 5 / 8, 7 / 8, 11 / 16, 9 / 16, 13 / 16, 15 / 16, 15 / 32)

# Ranks of a host that are tried: each is a pair of runs.
_MOST_RANKS = 4

# The variables with which launchers tell a process its rank.
_RANK = [
    "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
    "HOROVOD_RANK",
]  # fmt: skip
_LOCAL_RANK = [
    "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
    "SLURM_LOCALID", "HOROVOD_LOCAL_RANK",
]  # fmt: skip
_SIZE = [
    "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS",
    "SLURM_NPROCS", "HOROVOD_SIZE",
]  # fmt: skip
_LOCAL_SIZE = [
    "LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
    "MV2_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE", "HOROVOD_LOCAL_SIZE",
]  # fmt: skip
RANK_VARIABLES = frozenset({*_RANK, *_LOCAL_RANK, *_SIZE, *_LOCAL_SIZE})

_HOROVOD_VARIABLES = frozenset(name for name in RANK_VARIABLES if name.startswith("HOROVOD_"))

_QUOTED = re.compile(rf"""["']({"|".join(sorted(RANK_VARIABLES))})["']""")
_HOROVOD = re.compile(r"^\s*(?:import|from)\s+horovod\b", re.M)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One set-up: GPUs, arguments of the program, environment variables beside the user's own.

    `name` says it in reports. `asked` tells that the user asked for it: then it must show
    something. `tried` tells that the GPUs are not the own ones.
    """

    name: str
    machine: Machine
    argv: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    asked: bool = False
    tried: bool = False

    @property
    def horovod_stands_in(self) -> bool:
        """Whether a stand-in for Horovod tells the rank: the real one would wait for the others."""
        return "HOROVOD_RANK" in self.variables


def asked_ranks(text: str) -> frozenset[str]:
    """Return the variables with which a program asks for its rank, none where it asks for none.

    One that imports Horovod asks for Horovod's.
    """
    found = frozenset(_QUOTED.findall(text))
    if _HOROVOD.search(text):
        found |= _HOROVOD_VARIABLES
    return found if found & {*_RANK, *_LOCAL_RANK} else frozenset()


def scenarios(
    machine: Machine,
    arguments: Sequence[Sequence[str]],
    ranks: Collection[str] = (),
    environment: Mapping[str, str] | None = None,
    quick: bool = False,
    horovod: bool = False,
) -> list[Scenario]:
    """Return the set-ups of a verification, the own one first; `quick` leaves out the others.

    `arguments` are lists for the program, at least one. `ranks` are those of RANK_VARIABLES that
    the program asks for, where it asks for a rank; `environment` is the user's, which may give one.
    `horovod` tells that Horovod is installed: it runs as rank 0 of 1 without its variables.
    """
    gpus = machine.simulated
    here = min(max(machine.count, 1), _MOST_RANKS)
    there = given_ranks(ranks, environment or {})
    given = not ranks or bool(there)
    alone = [name for name in ranks if not (horovod and name in _HOROVOD_VARIABLES)]
    first = {} if given else _rank(0, 0, 1, 1, alone)
    at_first = "".join(f", {key}={value}" for key, value in there.items())
    if not given:
        at_first = ", rank 0 of 1"
    name = machine.name
    own = Scenario(name + at_first, machine, tuple(arguments[0]), first, asked=True)
    found = [own]
    if quick:
        return found
    for argv in arguments[1:]:
        title = f"{name}{at_first} with {' '.join(argv) or 'no arguments'}"
        found.append(replace(own, name=title, argv=tuple(argv)))
    if not given:
        found.extend(_other_ranks(own, here, ranks))
    if gpus is not None:
        found.extend(_other_gpus(own, gpus))
    return found


def given_ranks(ranks: Collection[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a rank that an environment has already."""
    return {name: environment[name] for name in sorted(ranks) if name in environment}


def _other_ranks(own: Scenario, here: int, ranks: Collection[str]) -> Iterator[Scenario]:
    """Yield the other ranks of a host, and the last one of a second host."""
    others = [(rank, rank, here, "") for rank in range(1, here)]
    for rank, local, size, where in (*others, (2 * here - 1, here - 1, 2 * here, " on two hosts")):
        title = f"{own.machine.name}, rank {rank} of {size}{where}"
        variables = _rank(rank, local, size, here, ranks)
        yield replace(own, name=title, variables=variables, asked=False)


def _rank(
    rank: int, local: int, size: int, local_size: int, names: Collection[str]
) -> dict[str, str]:
    """Return the variables of one rank, of those that a program asks for."""
    numbers = ((_RANK, rank), (_LOCAL_RANK, local), (_SIZE, size), (_LOCAL_SIZE, local_size))
    return {name: str(number) for known, number in numbers for name in known if name in names}


def _other_gpus(own: Scenario, gpus: Sequence[Gpu]) -> Iterator[Scenario]:
    """Yield the own set-up with one GPU, with one more of other sizes, without any."""
    sets: list[Sequence[Gpu]] = []
    if len(gpus) != 1:
        sets.append(gpus[:1] or [Gpu()])
    cards = [*gpus, *gpus[:1]] or [Gpu(), Gpu()]
    sets.append(
        [
            replace(card, total_mib=int(card.total_mib * _PARTS[number % len(_PARTS)]))
            for number, card in enumerate(cards)
        ]
    )
    for one in sets:
        if all(card.used_mib + card.context_mib < card.total_mib for card in one):
            yield _with(own, one)
    if gpus:
        yield _with(own, ())


def _with(own: Scenario, gpus: Sequence[Gpu]) -> Scenario:
    machine = Machine(gpus, ())
    return replace(own, name=machine.name, machine=machine, asked=False, tried=True)
