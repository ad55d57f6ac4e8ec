"""What writing a file leaves as it was: its other names, its attributes, and what links lead to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, write
from tfgpu.files.files import write as replace
from tfgpu.files.pyfile import SourceError


def test_a_file_with_several_names_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    other = tmp_path / "b.py"
    os.link(path, other)
    with pytest.raises(SourceError, match="has hard links"):
        replace(str(path), GROWTH.encode(), GROWTH_AFTER.encode())
    assert path.read_text() == other.read_text() == GROWTH


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes are Linux's")
def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    try:
        os.setxattr(path, "user.origin", b"here")
    except OSError:
        pytest.skip("the file system of the temporary folder has no extended attributes")
    replace(str(path), GROWTH.encode(), GROWTH_AFTER.encode())
    assert path.read_text() == GROWTH_AFTER
    assert os.getxattr(path, "user.origin") == b"here"


def test_a_link_to_a_folder_outside_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = write(tmp_path / "outside" / "a.py", GROWTH)
    here = tmp_path / "here"
    inside = write(here / "real" / "a.py", GROWTH)
    (here / "out").symlink_to(outside.parent)
    (here / "in").symlink_to(inside.parent)
    monkeypatch.chdir(here)
    with pytest.raises(SourceError, match="symbolic link out of its folder"):
        replace("out/a.py", GROWTH.encode(), GROWTH_AFTER.encode())
    assert outside.read_text() == GROWTH
    replace("in/a.py", GROWTH.encode(), GROWTH_AFTER.encode())
    assert inside.read_text() == GROWTH_AFTER
