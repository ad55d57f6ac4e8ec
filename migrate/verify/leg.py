"""Runs one program as a leg and writes its observation; or serves many, each in a fork.

The server imports TensorFlow once and forks for every leg. The import opens no GPU and reads
nothing of the simulation (CUDA is initialised at the first question about devices), so a fork is
as fresh as a new process, and some seconds cheaper. A job is one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any


def run_leg(job: dict[str, Any]) -> dict[str, Any]:
    """Run the program of a job in this process and return what it showed."""
    seen: dict[str, Any] = {"outcome": "ok"}
    importlib.import_module("tensorflow")
    sessions: list[Any] = []
    if job["tensorflow1"]:
        from migrate.verify.alias import become_tensorflow1  # noqa: PLC0415

        sessions = become_tensorflow1()
    for folder in job.get("paths", ()):
        sys.path.insert(0, folder)
    sys.argv = ["program.py", *job.get("argv", ())]
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    try:
        exec(compile(job["program"], "program.py", "exec"), module.__dict__)
        seen.update(_after(module, sessions))
    except BaseException as error:  # whatever the program raises is its outcome
        seen["outcome"] = f"{type(error).__name__}: {str(error)[:500]}"
        seen["traceback"] = traceback.format_exc()[-3000:]
    return seen


def _after(module: ModuleType, sessions: list[Any]) -> dict[str, Any]:
    """Observe the session that the program made; a plain one where it made none."""
    from migrate.verify.observe import observe_session  # noqa: PLC0415

    v1: Any = importlib.import_module("tensorflow.compat.v1")
    made = [*sessions, *_sessions_in(module, v1)]
    open_ones = [session for session in made if not session._closed]
    if open_ones:
        return {"session": "its own", **observe_session(v1, open_ones[-1])}
    # No session is left: what it ran has been recorded; ask the process in the same way.
    v1.disable_eager_execution()
    return {"session": "none", **observe_session(v1, v1.Session(graph=v1.Graph()))}


def _sessions_in(module: ModuleType, v1: Any) -> list[Any]:
    kinds = (v1.Session, v1.InteractiveSession)
    return [value for value in vars(module).values() if isinstance(value, kinds)]


def _child(job: dict[str, Any]) -> None:
    output = os.open(job["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
    for name in ("CUDA_VISIBLE_DEVICES", "TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR"):
        os.environ.pop(name, None)
    os.environ.update(job["environment"])
    seen = run_leg(job)
    Path(job["out"]).write_text(json.dumps(seen), encoding="utf-8")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # skips interpreter shutdown: the observation is complete


def _fork(job: dict[str, Any]) -> str:
    process = os.fork()
    if process == 0:
        try:
            _child(job)
        finally:
            os._exit(1)
    end = time.monotonic() + job.get("timeout", 120)
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return "ok" if status == 0 else f"status {status}"
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return "timeout"


def serve() -> None:
    """Answer jobs from standard input, one after another, until it ends."""
    importlib.import_module("tensorflow")
    importlib.import_module("tensorflow.compat.v1")
    importlib.import_module("keras")
    print("ready", flush=True)
    for line in sys.stdin:
        print(_fork(json.loads(line)), flush=True)


if __name__ == "__main__":
    serve()
