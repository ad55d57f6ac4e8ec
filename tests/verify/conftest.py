"""Fixtures of the tests that run on simulated GPUs."""

import platform
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.driver import stand_in
from tests.verify.server import Compare, Server
from tfgpu.verify.compare import compare
from tfgpu.verify.simgpu.build import NoCompiler, build, find_compiler
from tfgpu.verify.verdict import Verdict


@pytest.fixture(scope="session")
def compiler() -> list[str]:
    """A compiler that can build the driver."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("simulated GPUs are for Linux on x86-64")
    try:
        return find_compiler()
    except NoCompiler:
        pytest.skip("building the driver needs a C compiler")


@pytest.fixture(scope="session")
def libraries(compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver, built for a stand-in of TensorFlow."""
    target = stand_in(tmp_path_factory.mktemp("tensorflow"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TFGPU_CACHE", str(tmp_path_factory.mktemp("cache")))
        made = build(target)
        assert build(target) == made
    return made


@pytest.fixture
def compared(server: Server) -> Compare:
    """Runs two programs on two simulated GPUs and compares them."""

    def run(before: str, after: str) -> Verdict:
        legs = [server.leg(dedent(text), "sim:2x1GiB", False) for text in (before, after)]
        return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))

    return run
