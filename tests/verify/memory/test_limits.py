"""TensorFlow's three rules for its default memory."""

import pytest

from tfgpu.verify.memory.limits import (
    MIB,
    attempts,
    default_limit,
    fraction_limit,
    free_of_limit,
    reserve,
)
from tfgpu.verify.memory.releases import UnknownRelease, find_release, releases, version_of

GIB = 1024 * MIB


@pytest.mark.parametrize(
    ("free", "release", "capability", "left"),
    [
        (16 * GIB, "1.15", "7.0", int(16 * GIB * 0.05)),
        (4 * GIB, "1.15", "7.0", 300 * MIB),
        (2 * GIB - 1, "1.15", "7.0", 225 * MIB),
        (2 * GIB - 1, "2.4", "7.0", 255 * MIB),
        (16 * GIB, "2.10", "6.1", 500 * MIB),
        (16 * GIB, "2.10", "7.5", 1050 * MIB),
        (16 * GIB, "2.10", "8.9", 1536 * MIB),
        (16 * GIB, "2.11", "9.0", 1536 * MIB),
        (16 * GIB, "2.21", "9.0", 1800 * MIB),
        (16 * GIB, "2.21", "12.0", 1800 * MIB),
        (2 * GIB - 1, "2.21", "8.0", 225 * MIB),
    ],
)
def test_reserve(free: int, release: str, capability: str, left: int) -> None:
    version = find_release(release).version
    assert reserve(free, version, capability) == left
    assert default_limit(free, version, capability) == free - left


def test_six_percent_are_of_a_float32() -> None:
    # A real T4: 6 % in float64 would leave 14648653946.
    assert default_limit(15583674368, version_of("2.4"), "7.5") == 14648653952


@pytest.mark.parametrize("release", ["1.15", "2.4", "2.21"])
@pytest.mark.parametrize("free", [GIB, 1900 * MIB, 2 * GIB, 3 * GIB + 64 * 1024, 15000 * MIB])
def test_free_memory_of_a_limit(release: str, free: int) -> None:
    version = version_of(release)
    limit = default_limit(free, version, "7.5")
    found = free_of_limit(limit, version, "7.5")
    assert found is not None
    assert found <= free
    assert default_limit(found, version, "7.5") == limit
    assert free_of_limit(limit + 1, version, "7.5") is None


def test_nothing_is_left_where_there_is_less_than_the_reserve() -> None:
    assert default_limit(100 * MIB, version_of("2.21"), "8.0") == 100 * MIB


def test_after_a_refusal_nine_tenths_are_asked_for() -> None:
    # As a real card logged it.
    assert attempts(1070439424, 963395584) == [1070439424, 963395584]
    assert attempts(1000, 1000) == [768]


def test_a_fraction_is_of_the_total() -> None:
    assert fraction_limit(16384 * MIB, 0.4) == int(6553.6 * MIB)


@pytest.mark.parametrize("text", ["3.0", "2.99", "0.12", "two", "2"])
def test_unknown_releases_name_the_known_ones(text: str) -> None:
    with pytest.raises(UnknownRelease, match=r"1\.3 to 1\.15, 2\.0 to 2\.21"):
        find_release(text)


def test_patch_releases_are_their_release() -> None:
    assert find_release("2.10.1") == find_release("v2.10.0rc1") == find_release("2.10")
    assert len(releases()) == 13 + 22


@pytest.mark.parametrize(
    ("release", "capability", "how"),
    [
        ("1.15", "3.7", "compiled"),
        ("1.15", "8.6", "PTX"),
        ("1.15", "5.0", "PTX"),
        ("2.3", "5.0", ""),
        ("2.10", "8.6", "compiled"),
        ("2.10", "9.0", "PTX"),
        ("2.21", "3.7", ""),
        ("2.21", "7.5", "compiled"),
        ("2.21", "12.0", "PTX"),
    ],
)
def test_kernels(release: str, capability: str, how: str) -> None:
    assert find_release(release).kernels_for(capability) == how
