"""Runs many legs, each in a fork of one process that has imported TensorFlow.

The import opens no GPU and reads nothing of the simulation (CUDA is initialised at the first
question about devices), so a fork is as fresh as a new process, and some seconds cheaper. A job is
one line of JSON: that of `leg.run`, with `environment` and `stderr`.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

from .leg import run
from .stream import flush

_PRELOADED = ("tensorflow", "tensorflow.compat.v1")


def serve() -> None:
    """Answer jobs from standard input, one after another, until it ends."""
    gc.disable()  # the import makes many objects and little garbage: a quarter of its time
    for name in _PRELOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else the first collection of each fork copies all that was imported
    gc.enable()
    print("ready", flush=True)
    for line in sys.stdin:
        print(_fork(json.loads(line)), flush=True)


def _fork(job: dict[str, Any]) -> str:
    """Run a job; return how its process ended: an exit status, `signal N` or `timeout`."""
    process = os.fork()
    if process == 0:
        try:
            _child(job)
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


def _child(job: dict[str, Any]) -> None:
    for stream, path in ((1, job["stdout"]), (2, job["stderr"])):
        output = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(output, stream)
    os.chdir(job["folder"])
    os.environ.update(job["environment"])
    status = 0
    try:
        run(job)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    flush()
    os._exit(status)  # skips interpreter shutdown: the record is complete
