"""Fixtures of the tests that run on simulated GPUs."""

import platform
import sys
from pathlib import Path

import pytest

from tests.verify.driver import stand_in
from tfgpu.verify.simgpu.build import NoCompiler, build, find_compiler


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
