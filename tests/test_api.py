"""tfgpu as a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import BROKEN, GROWTH, GROWTH_AFTER, QUERY, write
from tfgpu import api


def test_audit(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH + QUERY)
    write(tmp_path / "b.py", BROKEN)
    first, second = api.audit([tmp_path])
    assert [item.code for item in first.findings] == ["TFG101", "TFG601", "TFG701"]
    assert (first.error, first.new) == (None, None)
    assert second.error == "not valid Python 3: invalid syntax"
    (only, _) = api.audit([tmp_path], select=["TFG7"])
    assert [item.name for item in only.findings] == ["is-gpu-available"]


def test_a_configuration_holds_and_a_wrong_one_is_a_value_error(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "tfgpu.toml", "ignore = ['TFG']\n")
    assert not any(file.findings for file in api.audit([tmp_path]))
    write(tmp_path / "tfgpu.toml", "ignore = 3\n")
    with pytest.raises(ValueError, match="ignore"):
        api.audit([tmp_path])


def test_migrate_writes_only_where_it_is_asked_to(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    (file,) = api.migrate([path])
    assert file.new == GROWTH_AFTER.encode()
    assert path.read_text() == GROWTH
    api.migrate([path], write=True)
    assert path.read_text() == GROWTH_AFTER


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    monkeypatch.setattr("os.access", lambda *_: False)
    (file,) = api.migrate([path], write=True)
    assert (file.error, file.new) == ("read-only; not changed", None)


def test_a_text() -> None:
    file = api.migrate_text(GROWTH)
    assert file.new == GROWTH_AFTER.encode()
    assert api.migrate_text(GROWTH, min_tf=(2, 1)).new is not None
