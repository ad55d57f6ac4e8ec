"""What must not happen before a session is looked for until the session is made, however deep."""

from __future__ import annotations

import pytest

from tests.verify.server import Server
from tfgpu.verify.assumptions import Assumption

HEAD = """\
import os
import threading
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
c = tf.ConfigProto()
def write():
    os.environ['CUDA_VISIBLE_DEVICES'] = '0'
def fork():
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
def plain():
    tf.Session().close()
def eager():
    from tensorflow.python.eager import context
    context.context().ensure_initialized()
def nothing():
    pass
def graph(what):
    what()
    return tf.get_default_graph()
"""
PLAIN = "A = 1\n"
WITH = """\
with tf.Session(graph=graph({what}), config=c) as s:  # B
    pass
"""
INSIDE = """\
def session(config):
    {what}()
    return tf.Session(config=config)  # made
with session(c) as s:  # B
    pass
"""
DEEP = """\
def run(config):
    with tf.Session(config=config) as s:  # made
        {behind}()
def train(config):
    for _ in range(1):
        {what}()
        run(config)
def step(config):
    yield train(config)
list(step(c))  # B
"""
THREAD = """\
def other():
    {what}()
def train(config):
    t = threading.Thread(target=other)
    t.start()
    t.join()
    return tf.Session(config=config)  # made
with train(c) as s:  # B
    pass
"""
RAISES = """\
def train(config):
    {what}()
    raise ValueError
try:
    train(c)  # B
except ValueError:
    {behind}()
"""
LINES = """\
with tf.Session(  # B
    graph=graph({what}),
    config=c,
) as s:
    {behind}()
"""
HELPER = """\
def made(config):
    {what}()
    s = tf.Session(config=config)  # made
    {behind}()
    return s
s = made(c)  # B
"""
BEHIND = """\
with tf.Session(config=c) as s:  # B
    {behind}()
"""
LIST = """\
s = [tf.Session(config=c), {behind}()]  # B
"""
KINDS = {
    "write": "no-environment-write-between",
    "fork": "no-fork-between",
    "plain": "no-session-before",
    "eager": "no-eager-context-before",
}


def became(server: Server, text: str, kind: str, steps: int = 5, in_front: bool = False) -> str:
    """Return what becomes of an assumption between the lines A and B of a program."""
    lines = (HEAD + PLAIN + text).splitlines()
    first = f"program.py:{lines.index('A = 1') + 1}"
    last = next(n for n, line in enumerate(lines, 1) if line.endswith("# B"))
    made = [n for n, line in enumerate(lines, 1) if line.endswith("# made")]
    place = f"program.py:{last}"
    is_between = kind in (KINDS["write"], KINDS["fork"])
    one = Assumption(
        "A1",
        kind,
        first if is_between else place,
        "as it was",
        place if is_between else "",
        sessions=tuple({"place": f"program.py:{n}", "first": n, "last": n} for n in made),
        in_front=in_front,
    )
    seen = server.leg("\n".join(lines), "sim:2x1GiB", False, assumptions=[one], steps=steps)
    assert seen.ended in ("end", "steps"), seen.failure
    (found,) = seen.assumptions
    return found.status


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize("text", [WITH, INSIDE, DEEP, THREAD, RAISES, LINES, HELPER])
def test_what_a_statement_runs_before_its_session(server: Server, text: str, what: str) -> None:
    text = text.format(what=what, behind="nothing")
    assert became(server, text, KINDS[what]) == "failed"


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize("text", [DEEP, RAISES, LINES, HELPER, BEHIND, LIST])
def test_what_comes_behind_a_session_is_not_before_it(server: Server, text: str, what: str) -> None:
    text = text.format(what="nothing", behind=what)
    assert became(server, text, KINDS[what]) == "held"


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("text", [WITH, INSIDE, DEEP, THREAD, RAISES, HELPER])
def test_the_session_itself_is_none_before_it(server: Server, text: str, kind: str) -> None:
    assert became(server, text.format(what="nothing", behind="nothing"), kind) == "held"


@pytest.mark.parametrize("what", ["write", "fork"])
def test_the_second_session_of_a_loop(server: Server, what: str) -> None:
    text = "for _ in range(2):\n    s = tf.Session(graph=graph(nothing), config=c)  # B\n    {}()\n"
    assert became(server, text.format("nothing"), KINDS[what]) == "held"
    assert became(server, text.format(what), KINDS[what]) == "failed"


def test_an_argument_that_makes_a_session_on_the_same_line(server: Server) -> None:
    text = "s = tf.Session(graph=tf.Session().graph, config=c)  # B\n"
    assert became(server, text, KINDS["plain"]) == "failed"


def test_a_session_of_a_monitored_one(server: Server) -> None:
    text = "s = tf.train.MonitoredTrainingSession(config=c)  # B\n"
    assert became(server, "tf.train.get_or_create_global_step()\n" + text, KINDS["plain"]) == "held"


def test_a_place_in_front_of_a_statement(server: Server) -> None:
    text = WITH.format(what="eager")
    assert became(server, text, KINDS["eager"], in_front=True) == "held"


def test_a_run_that_stops_before_the_session_is_made(server: Server) -> None:
    text = """\
def train(config):
    x = tf.constant(1.0) + 1.0
    s = tf.Session()
    while s.run(x) < 5:
        pass
    return tf.Session(config=config)  # made
train(c)  # B
"""
    assert became(server, text, KINDS["write"]) == "not reached"


WAITS = """\
x = tf.constant(1.0) + 1.0
s = tf.Session(config=c)
A = 1  # until
while s.run(x) < 5:
    pass
A = 2  # place
"""


@pytest.mark.parametrize(
    ("text", "status"), [(WAITS, "unknown"), (WAITS.replace("< 5", "< -1"), "failed"),
                         (WAITS.replace("A = 2", "for _ in ():\n    A = 2").replace("< 5", "< -1"),
                          "held")]
)  # fmt: skip
def test_what_may_come_behind_the_end_of_a_run(server: Server, text: str, status: str) -> None:
    lines = (HEAD + text).splitlines()
    place, until = (
        f"program.py:{next(n for n, line in enumerate(lines, 1) if line.endswith(mark))}"
        for mark in ("# place", "# until")
    )
    one = Assumption("A1", "never-behind", place, "never", until)
    (found,) = server.leg(HEAD + text, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert found.status == status
    assert ("--steps 0" in found.detail) == (status == "unknown")


FORKS = WAITS.replace("A = 2", "os.fork() or os._exit(0); A = 2")


@pytest.mark.parametrize(
    ("text", "status"), [(FORKS, "unknown"), (FORKS.replace("< 5", "< -1"), "failed"),
                         (WAITS.replace("< 5", "< -1"), "held")]
)  # fmt: skip
def test_a_fork_that_may_come_behind_the_end_of_a_run(
    server: Server, text: str, status: str
) -> None:
    lines = (HEAD + text).splitlines()
    place = next(n for n, line in enumerate(lines, 1) if line.endswith("# until"))
    one = Assumption("A1", "no-fork-behind", f"program.py:{place}", "no fork")
    (found,) = server.leg(HEAD + text, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert found.status == status, found
    assert ("--steps 0" in found.detail) == (status == "unknown")


@pytest.mark.parametrize("place", ["spawned", "script"])
@pytest.mark.parametrize(("order", "status"), [("12", "held"), ("21", "failed")])
def test_the_order_of_places_in_a_process_that_is_started(
    server: Server, place: str, order: str, status: str
) -> None:
    started = "p.start()\n    p.join()"
    start = {
        "spawned": "import multiprocessing\n    "
        "p = multiprocessing.get_context('spawn').Process(target=work)\n    " + started,
        "script": "import subprocess\n    "
        "subprocess.run([sys.executable, __file__, 'work'], check=True)",
    }[place]
    text = f"""\
import sys
def work():
    for step in "{order}":
        if step == "1":
            place = 1
        else:
            until = 1
if __name__ == "__main__" and sys.argv[1:]:
    work()
elif __name__ == "__main__":
    {start}
    import tensorflow as tf
"""
    lines = text.splitlines()
    late, early = (
        f"program.py:{lines.index(f'            {name} = 1') + 1}" for name in ("place", "until")
    )
    one = Assumption("A1", "never-behind", late, "never", early)
    (found,) = server.leg(text, "sim:2x1GiB", False, assumptions=[one]).assumptions
    assert found.status == status
