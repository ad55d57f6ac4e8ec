"""Writes `docs/carry-over.md`: what of a session carries over to another form, as measured.

`python -m tests.verify.carry_over` runs the programs in `forms`, which takes a minute or two.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.verify.server import Server, libraries_or_skip
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Aspect, Outcome

FORMS = Path(__file__).with_name("forms")
PROGRAMS = sorted(folder.name for folder in FORMS.iterdir() if folder.is_dir())
NAMES = ("session", "function", "eager", "wrapped", "keras")
KERAS_3 = "keras3"
GPUS = "sim:2"
PAGE = Path(__file__).parents[2] / "docs/carry-over.md"
_FORMS = {
    "function": "`tf.function`",
    "eager": "eager code",
    "wrapped": "`wrap_function`",
    "keras": "Keras",
    KERAS_3: "Keras 3",
}
_ASPECTS = ("devices", "configuration", "placement", "memory")
_HEAD = """# May I replace my session by ...?

Six programs, each written as a session, a `tf.function`, eager code, a function of
`tf.compat.v1.wrap_function`, a Keras (tf_keras) and a Keras 3 model, ran on two simulated
GPUs ({gpus}); `tfgpu verify` compared each form with the session. The programs are in
`tests/verify/forms`; `python -m tests.verify.carry_over` writes this page,
`tests/verify/test_forms.py` checks it.

Yes, where you carry the settings over yourself: each of the other forms begins with

    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # gpu_options.allow_growth
    tf.config.set_soft_device_placement(False)  # a session's default; that of TensorFlow 2 is True

and has the session's `tf.device` around the same operations. All forms then match, in all
directions, but for two in Keras 3. Simulated GPUs compute zeros; on the CPU the forms of four of
the programs were seen to compute the same numbers (`tests/verify/test_numbers.py`).

"""
_TAIL = """
## What does not carry over
Each of these is a mismatch or inconclusive in `tests/verify/test_forms.py`, never a match:

| rewrite | what becomes of it |
|---|---|
| `set_memory_growth` left out | all memory is taken in advance |
| `set_soft_device_placement(False)` left out | `allow_soft_placement` is on in TensorFlow 2 |
| a `tf.device` left out, or another one | the same operations run on another device |
| `tape.gradient` outside the `tf.device` of its tower | gradients run on another GPU |
| variables made outside the `tf.device` of the session's | they are on another device |
| Keras's `SGD` for `GradientDescentOptimizer` | it keeps a momentum beside each weight, even 0; \
`legacy.SGD` does not |

Keras 3 spells a batch normalization in single operations (a mismatch: other work on the GPU), and
`assign_add` of its variables as a sum that is assigned (inconclusive). Weights of a layer that is
built inside `call` are on GPU:0, whatever `tf.device` is around the call: build it before.
`compile` needs `jit_compile=False`, as XLA compiles otherwise.

## What is spelled otherwise and still matches
- a loss of Keras (sums and a division) for a mean, an optimizer's step in single operations for
  `ApplyAdam`: on the same devices, with tensors of the same sizes
- counters of steps and of metrics that Keras keeps for itself
- gradients with respect to the input of the first layer: eager code computes them for
  convolutions, a graph prunes them
"""


Record = Callable[[str], Observation]
"""Runs a program and returns what it showed."""


def text(program: str, form: str) -> str:
    """Return the text of a program in one of its forms."""
    return (FORMS / program / f"{form}.py").read_text("utf-8")


def page(record: Record) -> str:
    """Return the page for what the programs show."""
    rows = ["| program | session becomes | " + " | ".join(_ASPECTS) + " | left out |"]
    rows.append("|---|---|" + "---|" * (len(_ASPECTS) + 1))
    for program in PROGRAMS:
        session = record(text(program, "session"))
        title = session_title(program)
        for form, words in _FORMS.items():
            found = {
                aspect.name: aspect
                for aspect in compare(session, record(text(program, form)), simulated=True)
            }
            cells = [_cell(found[name]) for name in _ASPECTS]
            rows.append(f"| {title} | {words} | {' | '.join(cells)} | {_ignored(found)} |")
            title = ""
    return _HEAD.format(gpus=GPUS) + "\n".join(rows) + "\n" + _TAIL


def session_title(program: str) -> str:
    """Return what a program is, from its first line."""
    first = text(program, "session").splitlines()[0].strip('"')
    return first.removesuffix(", in a session.")


def _cell(aspect: Aspect) -> str:
    return "match" if aspect.outcome is Outcome.IGNORED else aspect.outcome.value


def _ignored(found: dict[str, Aspect]) -> str:
    subjects = dict.fromkeys(
        entry.subject.split(" float32")[0]
        + (" of the optimizer" if entry.subject.endswith("optimizer") else "")
        for entry in found["placement"].entries
        if entry.outcome is Outcome.IGNORED
    )
    return ", ".join(subjects)


def leg(server: Server, program: str) -> Observation:
    """Run the text of a program, with the Keras that it names."""
    return server.leg(program, GPUS, False, keras_2="import keras\n" not in program)


def main() -> None:
    """Run the programs and write the page."""
    known: dict[str, Observation] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), libraries_or_skip()) as server,
    ):

        def record(program: str) -> Observation:
            if program not in known:
                known[program] = leg(server, program)
            return known[program]

        PAGE.write_text(page(record), "utf-8")


if __name__ == "__main__":
    main()
