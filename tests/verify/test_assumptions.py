"""What a migration takes for granted is checked where the program gets there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.server import Server
from tfgpu.verify.assumptions import Assumption
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome

HEAD = "import os\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
SESSION = "tf.Session().run(tf.constant(1.0) + 1.0)\n"
EAGER = "from tensorflow.python.eager import context\ncontext.context().ensure_initialized()\n"


@pytest.mark.parametrize(
    ("text", "kind", "expression", "status", "detail"),
    [
        ("HERE\n" + SESSION, "no-session-before", "", "held", ""),
        (SESSION + "HERE\n", "no-session-before", "", "failed", "1 made before"),
        ("if 0:\n    HERE\n", "no-session-before", "", "not reached", ""),
        (
            "for _ in range(2):\n    HERE\n    " + SESSION,
            "no-session-before", "", "failed", "1 made",
        ),
        ("HERE\n" + EAGER, "no-eager-context-before", "", "held", ""),
        (EAGER + "HERE\n", "no-eager-context-before", "", "failed", "initialised"),
        ("HERE\n", "graph-mode", "", "held", ""),
        ("tf.enable_v2_behavior()\nHERE\n", "graph-mode", "", "failed", "eagerly"),
        ("HERE\nTHERE\n", "no-environment-write-between", "", "held", ""),
        (
            "os.environ['CUDA_VISIBLE_DEVICES'] = '1'\nHERE\nos.environ['HOME'] = '/'\nTHERE\n",
            "no-environment-write-between", "", "held", "",
        ),
        (
            "HERE\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\nTHERE\n",
            "no-environment-write-between", "", "failed", "CUDA_VISIBLE_DEVICES",
        ),
        (
            "os.environ['TF_X'] = '1'\nHERE\ndel os.environ['TF_X']\nos.environ['TF_X'] = '1'\n"
            "THERE\n",
            "no-environment-write-between", "", "failed", "TF_X",
        ),
        ("HERE\nTHERE\nos.fork() or os._exit(0)\n", "no-fork-between", "", "held", ""),
        ("HERE\nos.fork() or os._exit(0)\nTHERE\n", "no-fork-between", "", "failed", "forked 1"),
        ("os.fork() or os._exit(0)\nHERE\n", "no-fork-behind", "", "held", ""),
        ("HERE\nos.fork() or os._exit(0)\n", "no-fork-behind", "", "failed", "forked"),
        ("x = [1]\nHERE\nTHERE\n", "value-unchanged", "x", "held", ""),
        ("x = [1]\nHERE\nx.append(2)\nTHERE\n", "value-unchanged", "x", "failed", "[1, 2]"),
        (
            "c = tf.ConfigProto()\nHERE\nc.gpu_options.allow_growth = True\nTHERE\n",
            "value-unchanged", "c", "failed", "and then",
        ),
        ("def f(x):\n    HERE\n    THERE\nf(3)\n", "value-unchanged", "x + 1", "held", ""),
        ("HERE\nif 0:\n    THERE\n", "value-unchanged", "1", "not reached", "from the first"),
        ("THERE\nHERE\n", "value-unchanged", "1", "not reached", ""),
        ("HERE\nTHERE\n", "never-behind", "", "held", ""),
        ("THERE\nHERE\n", "never-behind", "", "failed", "behind"),
        ("for x in (0, ''):\n    HERE\n", "value-true", "not x", "held", ""),
        ("for x in (0, 2):\n    HERE\n", "value-true", "not x", "failed", "it is False"),
        ("for x in (2, 2):\n    HERE\n", "value-same", "x", "held", ""),
        ("for x in (2, 3):\n    HERE\n", "value-same", "x", "failed", "2 and then 3"),
        ("for _ in range(2):\n    HERE\n", "value-same", "missing", "failed", "NameError"),
        ("HERE\ntf.Session()\n", "session-behind", "", "held", ""),
        ("tf.Session()\nHERE\n", "session-behind", "", "not reached", ""),
        ("if 0:\n    HERE\nTHERE\n", "never-behind", "", "held", ""),
        (
            "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    HERE\n"
            "THERE\nasyncio.run(f())\n",
            "never-behind", "", "failed", "behind",
        ),
        ("HERE\nif 0:\n    THERE\n", "never-behind", "", "held", ""),
        ("import sys\nTHERE\nsys.exit()\nHERE\n", "never-behind", "", "held", ""),
        ("for _ in range(2):\n    HERE\n    THERE\n", "never-behind", "", "failed", "behind"),
    ],
)  # fmt: skip
def test_assumptions(
    server: Server, text: str, kind: str, expression: str, status: str, detail: str
) -> None:
    whole = HEAD + text
    lines = [line.strip() for line in whole.splitlines()]
    place = f"program.py:{lines.index('HERE') + 1}"
    until = f"program.py:{lines.index('THERE') + 1}" if "THERE" in lines else ""
    one = Assumption("A1", kind, place, "as it was", until, expression)
    program = whole.replace("THERE", "there = 1").replace("HERE", "here = 1")
    seen = server.leg(program, "sim:2x1GiB", False, assumptions=[one])
    (found,) = seen.assumptions
    assert (seen.ended, found.status) == ("end", status), (seen.failure, found)
    assert detail in found.detail
    entry = next(
        entry
        for aspect in compare(seen, seen, simulated=True)
        for entry in aspect.entries
        if entry.subject == "assumption A1"
    )
    assert (entry.outcome is Outcome.MATCH) == (status == "held")
    assert "as it was" in entry.reason


@pytest.mark.parametrize(
    ("text", "status"), [("here = 1\n", "held"), ("for _ in range(2):\n    here = 1\n", "failed")]
)
def test_a_place_that_is_reached_once(server: Server, text: str, status: str) -> None:
    whole = HEAD + text
    place = f"program.py:{len(whole.splitlines())}"
    one = Assumption("A1", "never-behind", place, "once", place)
    (found,) = server.leg(whole, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert found.status == status


@pytest.mark.parametrize(
    ("value", "status"), [("0.5", "held"), ("0", "held"), ("1.5", "failed"), ("-0.5", "failed")]
)
def test_value_in_a_range(server: Server, value: str, status: str) -> None:
    field = "gpu_options.per_process_gpu_memory_fraction"
    text = f"""
config = tf.ConfigProto()
config.{field} = {value}
try:
    tf.Session(config=config)
except Exception:
    pass
"""
    place = f"program.py:{len((HEAD + text).splitlines()) - 4}"
    one = Assumption("A1", "value-in-range", place, "in range", field=field, within=(0, 1))
    (found,) = server.leg(HEAD + text, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert (found.status, found.detail) == (
        status, "" if status == "held" else f"a session has {value}",
    )  # fmt: skip


MAKE = "def make():\n    '''Make it.'''\n    here = 1\n\n"


@pytest.mark.parametrize(
    ("calls", "status", "detail"),
    [
        ("make()\n", "held", ""),
        ("make()\nglobals()['ma' + 'ke']()\n", "failed", "called from"),
        ("def other():\n    pass\n\nmake()\nmake = other\n", "held", ""),
        ("for _ in range(2):\n    make()\n    make = print\n", "failed", "another function"),
        ("if 0:\n    make()\n", "not reached", ""),
        (
            "import _thread, time\n_thread.start_new_thread(make, ())\ntime.sleep(1)\n"
            "if 0:\n    make()\n",
            "failed", "no code of Python",
        ),
        ("first = make\ndel make\ntry:\n    make()\nexcept NameError:\n    pass\n",
         "failed", "cannot be looked up"),
    ],
)  # fmt: skip
def test_callers_of_a_function(server: Server, calls: str, status: str, detail: str) -> None:
    whole = HEAD + MAKE + calls
    lines = whole.splitlines()
    call = next(n for n, line in enumerate(lines, 1) if line.strip() == "make()")
    caller = {"place": f"program.py:{call}", "first": call, "last": call, "callee": "make"}
    place = f"program.py:{lines.index('    here = 1') + 1}"
    one = Assumption("A1", "known-callers", place, "called there", callers=(caller,))
    (found,) = server.leg(whole, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert (found.status, detail in found.detail) == (status, True)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "no-such-kind"},
        {"place": "train.py"},
        {"until": "train.py:4"},
        {"kind": "no-fork-between"},
        {"kind": "value-unchanged", "until": "train.py:4"},
        {"expression": "x"},
        {"kind": "value-in-range"},
        {"field": "gpu_options.per_process_gpu_memory_fraction"},
    ],
)
def test_what_is_no_assumption(change: dict[str, Any]) -> None:
    row = {"id": "A1", "kind": "no-session-before", "place": "train.py:3", "text": "none"}
    with pytest.raises(ValueError):
        Assumption(**{**row, **change})
