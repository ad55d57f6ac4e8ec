"""Runs legs in forks of one process that has TensorFlow, each in a process group of its own.

`tests/verify/serve.py` knows how a leg starts; here nothing that a leg started outlives it, a leg
waits for its `multiprocessing` children at its end, as Python does, and every session that is made
uses each of its GPUs at once, so that the driver sees how their memory is taken.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

PROBE = "tfgpu_probe"
_PR_SET_PDEATHSIG = 1  # of Linux: sys/prctl.h


def _serve_module() -> Any:
    """Return what the tests of `verify` start legs with."""
    del sys.path[0]  # this folder: programs must not find its modules
    path = Path(__file__).parents[1] / "verify" / "serve.py"
    spec = importlib.util.spec_from_file_location("serve_legs", path)
    assert spec and spec.loader
    serve: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    return serve


def _watch(name: str) -> None:
    """Let each session that is made use its GPUs."""
    module: Any = importlib.import_module(f"{name}.observer")
    noted = module.Observer.session
    here = threading.local()

    def session(self: Any, made: Any) -> None:
        made._tfgpu_title = PROBE
        if getattr(here, "tries", False):
            return
        noted(self, made)
        here.tries = True
        try:
            _use_gpus(made)
        finally:
            here.tries = False

    module.Observer.session = session
    # The caller knows which TensorFlow a program is for.
    module.runs_as_it_is = lambda *_: False


def _use_gpus(made: Any) -> None:
    """Take a little memory on every GPU of a session: in another graph, with the same settings."""
    v1: Any = sys.modules["tensorflow.compat.v1"]
    if made.sess_str or made._config is None:
        return
    names = [device.name for device in made.list_devices() if device.device_type == "GPU"]
    if not names:
        return
    graph = v1.Graph()
    with graph.as_default(), contextlib.suppress(v1.errors.OpError):
        found: list[Any] = []
        for name in names:
            with v1.device(name):
                found.append(v1.random.uniform([2], name=f"{PROBE}_{len(found)}"))
        session = v1.Session(graph=graph, config=made._config)
        for item in found:
            session.run(item)
        session.close()


def _end_with_parent() -> None:
    """End this process when the one that started it ends, if the system knows how."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _child(serve: Any, recorder: str, job: dict[str, Any]) -> None:
    os.setsid()
    _end_with_parent()
    _watch(recorder)
    leg: Any = importlib.import_module(f"{recorder}.leg")
    run = leg.run

    def run_to_the_end(*arguments: Any) -> None:
        try:
            run(*arguments)
        finally:
            util: Any = sys.modules.get("multiprocessing.util")
            if util is not None:
                util._exit_function()

    leg.run = run_to_the_end
    serve.child(job, recorder)


def _fork(serve: Any, recorder: str, job: dict[str, Any]) -> str:
    """Run a job; return how its process ended: an exit status, `signal N` or `timeout`."""
    process = os.fork()
    if process == 0:
        try:
            _child(serve, recorder, job)
        finally:
            os._exit(1)
    answer = "timeout"
    end = time.monotonic() + job["timeout"]
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            answer = f"signal {status & 127}" if status & 127 else str(status >> 8)
            break
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)
    if answer == "timeout":
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    return answer


def main() -> None:
    """Answer jobs from standard input, one after another, until it ends."""
    _end_with_parent()
    serve = _serve_module()
    recorder = serve.load_recorder(sys.argv[1])
    serve.preload("tf_keras.api._v1.keras")
    print("ready", flush=True)
    for line in sys.stdin:
        print(_fork(serve, recorder, json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
