"""Repositories for the tests of fleets, and a server that takes its time."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, without the settings of the user."""
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **dict.fromkeys(names, "a")}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(folder: Path, text: str) -> str:
    """Make a repository with one program, or add a commit to it; return the commit."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_text(text)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    return git(folder, "rev-parse", "HEAD")


def rows(dataset: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    text = (dataset / f"{table}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@contextmanager
def waiting_server() -> Iterator[tuple[str, threading.Event]]:
    """Give the URL of a repository that says nothing until an event is set, and then hangs up."""
    over = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                over.wait()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"git://127.0.0.1:{server.getsockname()[1]}/slow", over
    finally:
        over.set()
        server.close()
