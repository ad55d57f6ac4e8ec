"""Files are written by a process that outlives the one that asks, as tfgpu writes them."""

from collections.abc import Iterator

import pytest

from tfgpu.files.files import _apart


@pytest.fixture(scope="package", autouse=True)
def written_apart() -> Iterator[None]:
    """Undo what the other tests do for speed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tfgpu.files.files._apart", _apart)
        yield
