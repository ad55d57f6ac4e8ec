"""Errors that do not end a program, of threads and whatever else runs beside it, are compared."""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.compare.errors import refused_alike
from tfgpu.verify.compare.result import ending
from tfgpu.verify.gpus import choose
from tfgpu.verify.observation import Observation
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.verdict import ERRORS_BESIDE, Aspect, Comparison, Entry, Outcome, Verdict

BEGIN = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random.uniform([8, 8]), tf.random.uniform([8, 8]))
with tf.Session() as session:
    session.run(product)
"""
# Each fails in its own way; none ends the program.
ALL = (
    BEGIN
    + """
import asyncio, atexit, concurrent.futures, multiprocessing, sys, threading, time, _thread
import multiprocessing.pool

class Oops(Exception):
    pass

def plain(): raise Oops
def hooked(): raise Oops
def nobody_asks(): raise Oops
def somebody_asks(): raise Oops
def in_pool(): raise Oops
def in_process(): raise Oops
def at_end(): raise Oops
def raw(): raise Oops
async def in_task(): raise Oops

class Own(threading.Thread):
    def run(self): raise Oops

def joined(thread):
    thread.start()
    thread.join()

joined(threading.Thread(target=plain))
joined(Own())
told = []
threading.excepthook = lambda given: told.append(given.exc_type)
joined(threading.Thread(target=hooked))
assert told == [Oops]

with concurrent.futures.ThreadPoolExecutor(1) as executor:
    future = executor.submit(nobody_asks)
    del future
    try:
        executor.submit(somebody_asks).result()
    except Oops:
        pass
idle = concurrent.futures.ThreadPoolExecutor(1)  # nobody shuts it down
idle.submit(int).result()
pool = multiprocessing.pool.ThreadPool(1)
kept = pool.apply_async(in_pool)
kept.wait()
process = multiprocessing.get_context("fork").Process(target=in_process)
process.start()
process.join()
atexit.register(at_end)
_thread.start_new_thread(raw, ())

async def main():
    task = asyncio.ensure_future(in_task())
    await asyncio.sleep(0.01)
asyncio.run(main())

try:
    tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="7")))
except Exception:
    pass
time.sleep(0.2)
"""
)
FAIL = {
    "plain() ends a thread",
    "run() ends a thread",
    "hooked() ends a thread",
    "nobody_asks() kept by a future",
    "in_pool() kept by a pool",
    "ends the process",
    "at_end() in atexit",
    "raw() ignored by Python",
    "in_task() kept by a task",
}


def compared(before: Observation, after: Observation) -> Verdict:
    return Verdict("", True, before, after, compare(before, after, simulated=True))


def errors(verdict: Verdict) -> dict[str, Entry]:
    """Return the entries about errors, by what they are about."""
    entries = (entry for aspect in verdict.aspects for entry in aspect.entries)
    start = f"{ERRORS_BESIDE}: "
    return {
        one.subject.removeprefix(start): one for one in entries if one.subject.startswith(start)
    }


def test_each_kind_of_error(server: Server) -> None:
    texts = (ALL, ALL, ALL.replace("Oops", "Other"))
    before, again, other = (server.leg(text, "sim:2x1GiB", False) for text in texts)
    same = compared(before, again)
    assert same.outcome is Outcome.MATCH, describe(same)
    named = errors(same)
    assert named.keys() == {*FAIL, "session refused"}
    assert {one.outcome for one in named.values()} == {Outcome.IGNORED}
    assert "InvalidArgumentError" in named["session refused"].reason
    differs = compared(before, other)
    wrong = {name for name, one in errors(differs).items() if one.outcome is Outcome.MISMATCH}
    assert wrong == FAIL, describe(differs)


THREAD = """
import threading
def work(gpu):
    {}
thread = threading.Thread(target=work, args=("{}",))
thread.start()
thread.join()
"""
CONFIG = "tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=gpu))"
CHOSEN = "tf.config.set_visible_devices(tf.config.list_physical_devices('GPU')[int(gpu)], 'GPU')"


def test_a_session_that_is_refused_in_a_thread(server: Server) -> None:
    def leg(line: str, gpu: int) -> Observation:
        return server.leg(BEGIN + THREAD.format(line, gpu), "sim:2x1GiB", False)

    before = leg(f"tf.Session(config={CONFIG})", 7)
    caught = f"try: tf.Session(config={CONFIG})\n    except Exception: pass"
    for text, gpu, outcome in (
        (f"tf.Session(config={CONFIG})", 7, Outcome.MATCH),
        (f"tf.Session(config={CONFIG})", 9, Outcome.MISMATCH),
        (f"{CHOSEN}; tf.Session()", 7, Outcome.MISMATCH),
        ("pass", 7, Outcome.MISMATCH),
        (caught, 7, Outcome.MISMATCH),
    ):
        found = compared(before, leg(text, gpu))
        assert found.outcome is outcome, (text, describe(found))
    found = compared(leg("pass", 7), leg(caught, 7))
    assert found.outcome is Outcome.INCONCLUSIVE, describe(found)


def test_a_session_that_is_refused_in_a_process(server: Server) -> None:
    begin, work = BEGIN.split("with tf.device", 1)
    start = THREAD.replace("import threading", "import multiprocessing").replace(
        "threading.Thread(", "multiprocessing.get_context('fork').Process("
    )

    def leg(line: str) -> Observation:
        return server.leg(
            f"{begin}{start.format(line, 7)}with tf.device{work}", "sim:2x1GiB", False
        )

    refused = f"tf.Session(config={CONFIG})"
    before, again, other = map(leg, (refused, refused, f"{CHOSEN}; tf.Session()"))
    same, differs = compared(before, again), compared(before, other)
    assert (same.outcome, differs.outcome) == (Outcome.MATCH, Outcome.MISMATCH), describe(same)
    assert [one.process for one in before.errors] == ["fork work('7')"] * 2


def test_where_nobody_asked_for_these_gpus_both_sides_may_fail() -> None:
    entry = Entry(
        f"{ERRORS_BESIDE}: work() ends a thread", Outcome.MISMATCH, "IndexError", "KeyError"
    )
    assert refused_alike(entry).outcome is Outcome.INCONCLUSIVE
    for other in (Entry(entry.subject, Outcome.MISMATCH, "none", "KeyError"),):
        assert refused_alike(other) == other


LOOP = BEGIN.replace("    session.run(product)", "    for _ in range(20): session.run(product)")
STARTS = {
    "thread": "import threading; t = threading.Thread(target=save); t.start(); t.join()",
    "future": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(1) as pool: pool.submit(save)"
    ),
    "atexit": "import atexit; atexit.register(save)",
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_an_error_of_one_side_behind_steps_that_were_left_out(server: Server, start: str) -> None:
    def leg(line: str) -> Observation:
        text = f"{LOOP}def save():\n    {line}\n{start}\n"
        return server.leg(text, "sim:1x1GiB", False)

    before = leg("tf.gfile.Exists('/')")
    for line, outcome, words in (
        ("tf.gfile.Exists('/')", Outcome.MATCH, ""),
        ("tf.gfileX.Exists('/')", Outcome.MISMATCH, "only after: AttributeError"),
        ("None.best", Outcome.INCONCLUSIVE, "only after: AttributeError"),
        ("[][0]", Outcome.INCONCLUSIVE, "--steps 0"),
    ):
        found = compared(before, leg(line))
        assert found.outcome is outcome, describe(found)
        assert words in " ".join(one.reason for one in errors(found).values())


def test_errors_of_one_side_that_hang_on_time(server: Server) -> None:
    text = (
        BEGIN.replace("    session.run(product)", "    pass\n")
        + "import threading\ndef late(): {}\n"
        + "t = threading.Thread(target=late); t.start(); t.join()\n"
    )
    before, after = (
        server.leg(text.format(line), "sim:1x1GiB", False)
        for line in ("pass", "session.run(product)")
    )
    found = compared(before, after)
    (entry,) = errors(found).values()
    assert entry.outcome is Outcome.INCONCLUSIVE, describe(found)
    again = compared(after, after)
    assert {one.outcome for one in errors(again).values()} == {Outcome.IGNORED}


@pytest.mark.parametrize(("text", "silent"), [("none", False), ("KeyError", True)])
def test_a_set_up_that_nobody_asked_for_shows_errors_of_one_side(text: str, silent: bool) -> None:
    entry = Entry(f"{ERRORS_BESIDE}: run()", Outcome.INCONCLUSIVE, text, "IndexError")
    leg = Observation("train.py", "2.21.0", "3.12.3", stands_in=False, ended="end")
    scenario = Scenario("sim:1", choose("sim:1"))
    assert Comparison(scenario, leg, leg, [Aspect("result", [entry])]).is_silent is silent


def test_an_error_behind_the_steps_of_one_of_two_forms(server: Server) -> None:
    eager = """
import tensorflow as tf
with tf.device("/gpu:0"):
    for _ in range(20): tf.matmul(tf.random.uniform([8, 8]), tf.random.uniform([8, 8]))
"""
    before, after = (server.leg(text, "sim:1x1GiB", False) for text in (f"{LOOP}[][0]\n", eager))
    entry = ending(before, after)
    assert (before.ended, after.ended) == ("steps", "end")
    assert entry.outcome is Outcome.INCONCLUSIVE, entry
