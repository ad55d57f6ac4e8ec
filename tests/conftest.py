"""What all tests share: where they write, a process with TensorFlow, what does not hold yet."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.verify.server import Server, libraries_or_skip
from tfgpu.rulebook.compiled import origin

OPEN = Path(__file__).with_name("open.txt")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the cache of the user out of the tests; tfgpu's files stay as they are meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tfgpu.cache.origin", cache(origin))
        patch.setenv("TFGPU_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def written_here() -> Iterator[None]:
    """Write files in this process: a fork of one that has all tests takes longer than most of them.

    `tests/files` writes as tfgpu does, and so does each `tfgpu` that is started.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tfgpu.files.files._apart", lambda act: act())
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The process that has TensorFlow and forks for each leg: loading it takes seconds."""
    with Server(tmp_path_factory.mktemp("legs"), libraries_or_skip()) as running:
        yield running


def pytest_configure() -> None:
    """Keep byte code, as users do: without it `tfgpu` takes three times as long to start."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of `open.txt` fail; one that passes shows as XPASS and leaves the list.

    A line is the id of a test, or the path of a file whose tests are all meant.
    """
    lines = set(OPEN.read_text("utf-8").splitlines())
    for item in items:
        if item.nodeid in lines or item.nodeid.partition("::")[0] in lines:
            item.add_marker(pytest.mark.xfail(reason="open, see tests/open.txt", strict=False))
