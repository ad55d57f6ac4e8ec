"""Runs many legs, each in a fork of one process that has imported TensorFlow.

The import opens no GPU and reads nothing of the simulation (CUDA is initialised at the first
question about devices), so a fork is as fresh as a new process, and some seconds cheaper. The
argument is the folder of the recorder. A job is one line of JSON: that of `leg.run`, with `folder`,
`environment`, `stdout`, `stderr`, `timeout`, and `work`: whether a session is put to work behind
the program, which runs nothing itself.

It imports nothing of tfgpu, and runs on Python 3.7 too.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import signal
import sys
import time
from typing import Any

PRELOADED = ("tensorflow", "tensorflow.compat.v1")


def load_recorder(folder: str) -> str:
    """Load the recorder as its own `__main__` does, and return the name of its package."""
    spec = importlib.util.spec_from_file_location("start_recorder", f"{folder}/__main__.py")
    assert spec and spec.loader
    start: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    start.load()
    return str(start.NAME)


def preload(*more: str) -> None:
    """Import TensorFlow, and other modules, before the first fork."""
    gc.disable()  # the import makes many objects and little garbage: a quarter of its time
    for name in (*PRELOADED, *more):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else the first collection of each fork copies all that was imported
    gc.enable()


def serve(recorder: str) -> None:
    """Answer jobs from standard input, one after another, until it ends."""
    preload()
    print("ready", flush=True)
    for line in sys.stdin:
        print(_fork(json.loads(line), recorder), flush=True)


def _fork(job: dict[str, Any], recorder: str) -> str:
    """Run a job; return how its process ended: an exit status, `signal N` or `timeout`."""
    process = os.fork()
    if process == 0:
        try:
            child(job, recorder)
        finally:
            os._exit(1)
    end = time.monotonic() + job["timeout"]
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return f"signal {status & 127}" if status & 127 else str(status >> 8)
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return "timeout"


def child(job: dict[str, Any], recorder: str) -> None:
    """Run a job in this process, which is its own, and end."""
    leg: Any = importlib.import_module(recorder + ".leg")
    for stream, path in ((1, job["stdout"]), (2, job["stderr"])):
        output = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(output, stream)
    os.chdir(job["folder"])
    os.environ.update(job["environment"])
    status = 0
    try:
        leg.run(job, lambda observer: _work(observer, recorder) if job["work"] else None)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    importlib.import_module(recorder + ".stream").flush()
    os._exit(status)  # skips interpreter shutdown: the record is complete


def _work(observer: Any, recorder: str) -> None:
    """Put the last session to work, or one like it where it takes no more work.

    Without any session that is one for what the process is set to.
    """
    workload: Any = importlib.import_module(recorder + ".workload")
    v1: Any = importlib.import_module("tensorflow.compat.v1")
    session = observer.last_session
    if session is None or session._closed or session.graph.finalized:
        v1.disable_eager_execution()
        config = None if session is None else session._config
        session = v1.Session(graph=v1.Graph(), config=config)
    workload.run_on_devices(v1, session)
    workload.place_on_missing_device(v1, session, observer)


if __name__ == "__main__":
    del sys.path[0]  # this folder: programs must not find its modules
    serve(load_recorder(sys.argv[1]))
