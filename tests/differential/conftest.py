"""The process that runs legs, one for all tests of a run.

Another folder of tests takes it with `from tests.differential.conftest import runner`.
"""

import platform
import sys
from collections.abc import Iterator

import pytest

from tests.differential.runner import Runner
from tfgpu.verify.simgpu.build import CannotBuild
from tfgpu.verify.simgpu.target import NoTensorFlow


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """A process that has TensorFlow and forks for each leg."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("simulated GPUs are for Linux on x86-64")
    try:
        made = Runner(tmp_path_factory.mktemp("legs"))
    except (NoTensorFlow, CannotBuild) as error:
        pytest.skip(str(error))
    with made:
        yield made
