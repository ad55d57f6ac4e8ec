"""Which programs run on TensorFlow 2 as it is, and which are of TensorFlow 1 though none fails."""

from __future__ import annotations

import time
from textwrap import indent

import pytest

from tests.verify.server import Server

RUN = """
with tf.Graph().as_default(), tf.compat.v1.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([8, 8]), tf.random.uniform([8, 8])))
"""
MAKE = "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
BEGIN = f"""
import concurrent.futures, contextlib, multiprocessing, threading
import tensorflow as tf
config = None
def make():
{indent(MAKE, "    ")}    return config
"""
TRY = "try:\n" + indent(MAKE, "    ") + "except {}:\n    {}\n"

# What swallows the error by accident: the program is of TensorFlow 1.
TAKEN = {
    "all": TRY.format("Exception as error", "print(error)"),
    "bare": "try:\n    config = make()\nexcept:\n    pass\n",
    "other handler first": TRY.format("KeyError", "pass\nexcept Exception:\n    pass"),
    "suppressed": "with contextlib.suppress(Exception):\n" + indent(MAKE, "    "),
    "raised again": "with contextlib.suppress(Exception):\n"
    + indent(TRY.format("Exception", "raise"), "    "),
    "callback": "calls = [lambda: make()]\n"
    "try:\n    config = calls[0]()\nexcept Exception:\n    pass\n",
    "part of the API": "try:\n    tf.train.GradientDescentOptimizer(0.1)\nexcept Exception: pass\n",
    "import": "try:\n    from tensorflow import Session\nexcept Exception:\n    pass\n",
    "thread": "thread = threading.Thread(target=make)\nthread.start()\nthread.join()\n",
    "future": "with concurrent.futures.ThreadPoolExecutor(1) as pool: pool.submit(make)\n",
    "process": "process = multiprocessing.get_context('fork').Process(target=make)\n"
    "process.start()\nprocess.join()\n",
    "pool": "with multiprocessing.get_context('fork').Pool(1) as pool:\n"
    "    pool.apply_async(make).wait()\n",
}
# What asks for it: the program is for both versions.
ASKED = {
    "hasattr": "if hasattr(tf, 'ConfigProto'):\n    config = make()\n",
    "getattr": "config = getattr(tf, 'ConfigProto', lambda: None)()\n",
    "variable": "for name in ('ConfigProto',):\n    hasattr(tf, name)\n",
    "handler": TRY.format("AttributeError", "config = None"),
    "one of several": TRY.format("(ImportError, AttributeError)", "pass"),
    "variable of types": "KINDS = (AttributeError, KeyError)\n" + TRY.format("KINDS", "pass"),
    "suppressed by name": "with contextlib.suppress(AttributeError):\n" + indent(MAKE, "    "),
    "outer handler": "try:\n    config = make()\nexcept AttributeError:\n    pass\n",
    "other names": TRY.format("Exception", "config = tf.compat.v1.ConfigProto()"),
    "import": "try:\n    from tensorflow import Session\nexcept ImportError:\n    pass\n",
    "in neither": "try:\n    tf.contrib\nexcept Exception:\n    pass\n",
}


def stands_in(server: Server, text: str) -> bool:
    leg = server.leg(BEGIN + text + RUN, "sim:1x1GiB", True)
    assert leg.ended == "end", leg.failure
    assert not leg.trouble
    return leg.stands_in


@pytest.mark.parametrize("name", TAKEN)
def test_a_name_that_is_taken_for_granted(server: Server, name: str) -> None:
    assert stands_in(server, TAKEN[name])


@pytest.mark.parametrize("name", ASKED)
def test_a_name_that_is_asked_for(server: Server, name: str) -> None:
    assert not stands_in(server, ASKED[name])


def test_when_a_program_was_tried_in_vain(server: Server) -> None:
    """What the try takes of a real GPU is left out; eager code takes the whole card before."""
    begun = time.monotonic()
    leg = server.leg(BEGIN + "print(tf.ones([8]))\n" + MAKE + RUN, "sim:1x1GiB", True)
    assert leg.stands_in
    [(first, last)] = leg.tried
    assert begun < first < last < time.monotonic()
