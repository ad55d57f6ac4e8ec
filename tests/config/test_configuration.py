"""What a configuration file may say, and what a wrong one is told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.tools import write
from tests.tools import book
from tfgpu.config.find import Configuration, read_configuration
from tfgpu.options import Options
from tfgpu.rulebook.table import RuleError

EVERYTHING = """
select = ["TFG"]
ignore = ["allow-growth"]
exclude = ["build/", "!build/keep.py", "*_old.py"]
min-tf = "2.9"
baseline = "known.json"

[per-file-ignores]
"tests/" = ["TFG7", "is-gpu-available"]
"conftest.py" = ["TFG1"]

[severity]
TFG7 = "note"
is-gpu-available = "error"
"""


def read(folder: Path, text: str, name: str = "tfgpu.toml") -> Configuration:
    found = read_configuration(write(folder / name, text))
    assert found is not None
    return found


def test_everything_at_once(tmp_path: Path) -> None:
    found = read(tmp_path, EVERYTHING)
    assert (found.path, found.folder) == (str(tmp_path / "tfgpu.toml"), tmp_path.resolve())
    assert (found.select, found.ignore, found.min_tf) == (("TFG",), ("allow-growth",), (2, 9))
    assert found.baseline == tmp_path.resolve() / "known.json"
    assert found.severity == (("TFG7", "note"), ("is-gpu-available", "error"))


def test_pyproject_has_the_same_keys_in_its_table(tmp_path: Path) -> None:
    text = "[tool.tfgpu]\n" + EVERYTHING.replace("\n[", "\n[tool.tfgpu.")
    one = read(tmp_path, text, "pyproject.toml")
    other = read(tmp_path, EVERYTHING)
    assert (one.select, one.ignore, one.per_file_ignores, one.exclude, one.severity) == (
        other.select, other.ignore, other.per_file_ignores, other.exclude, other.severity,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["", "[tool.ruff]\nselect = ['E']\n", "tool = 3\n"])
def test_a_pyproject_that_is_not_about_tfgpu_does_not_count(tmp_path: Path, text: str) -> None:
    assert read_configuration(write(tmp_path / "pyproject.toml", text)) is None


def test_an_empty_file_of_its_own_counts_and_says_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, "")
    chosen = Options(unsafe_fixes=True, keep_imports=True)
    assert found.options(("a.py",), chosen, frozenset()) == chosen


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("selct = ['TFG1']", "selct: found ['TFG1'], expected no such key; did you mean select?"),
        ("per_file_ignores = 1", "per_file_ignores: found 1, expected no such key; did you mean "
         "per-file-ignores?"),
        ("zzz = 1", "zzz: found 1, expected no such key"),
        ("[tool.tfgpu]\nselect = ['TFG1']", "tool.tfgpu: found 'a table', expected its keys at the "
         "top of the file; only a pyproject.toml has this table"),
        ("select = 'TFG1'", "select: found 'TFG1', expected a list of strings"),
        ("select = [1]", "select: found [1], expected a list of strings"),
        ("ignore = ['alow-growth']", "ignore: found 'alow-growth', expected the name of a rule, "
         "or the start of its code; did you mean allow-growth?"),
        ("ignore = ['']", "ignore: found '', expected the name of a rule, or the start of its "
         "code"),
        ("min-tf = 2.4", "min-tf: found 2.4, expected a string"),
        ("min-tf = 'two'", "min-tf: found 'two', expected a version of TensorFlow 2, such "
         "as 2.4"),
        ("min-tf = '1.15'", "min-tf: found '1.15', expected a version of TensorFlow 2, "
         "such as 2.4"),
        ("select = []", "select: found [], expected one rule at least; without the key, all are "
         "selected"),
        ("baseline = true", "baseline: found True, expected a string"),
        ("exclude = 3", "exclude: found 3, expected a list of strings"),
        ("per-file-ignores = ['a']", "per-file-ignores: found ['a'], expected a table of lists of "
         "rules"),
        ("per-file-ignores.'a.py' = 'TFG1'", "per-file-ignores.a.py: found 'TFG1', expected a "
         "table of lists of rules"),
        ("per-file-ignores.'a.py' = [1]", "per-file-ignores.a.py: found [1], expected a table of "
         "lists of rules"),
        ("per-file-ignores.'a.py' = ['XYZ']", "per-file-ignores.a.py: found 'XYZ', expected the "
         "name of a rule, or the start of its code"),
        ("severity.TFG1 = 'fatal'", "severity.TFG1: found 'fatal', expected one of error, warning, "
         "note"),
        ("severity.XYZ = 'note'", "severity.XYZ: found 'XYZ', expected the name of a rule, or the "
         "start of its code"),
        ("rules = ['nowhere']", "rules: found 'nowhere', expected a folder, or a file, that "
         "exists"),
        ("rules = ['']", "rules: found '', expected a path"),
        ("baseline = ''", "baseline: found '', expected a path"),
        ("a = ", "the file: found 'Invalid value (at end of document)', expected TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RuleError) as caught:
        read(tmp_path, text)
    message = str(caught.value)
    assert str(tmp_path) in message
    assert message.endswith(told)


def test_keys_of_pyproject_are_told_with_their_table(tmp_path: Path) -> None:
    for text, key in (("[tool.tfgpu]\nmin_tf = '2.4'\n", "tool.tfgpu.min_tf"),
                      ("[tool]\ntfgpu = 1\n", "tool.tfgpu")):  # fmt: skip
        with pytest.raises(RuleError, match=f"pyproject.toml: {key}: found "):
            read(tmp_path, text, "pyproject.toml")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="expected TOML"):
        read_configuration(Path(str(write(tmp_path / "tfgpu.toml", b"\xff\xfe"))))


class TestOptions:
    def test_the_command_line_goes_first_key_by_key(self, tmp_path: Path) -> None:
        found = read(tmp_path, "select = ['TFG1']\nignore = ['TFG2']\nmin-tf = '2.9'\n")
        chosen = Options(min_tf=(2, 12), select=("TFG7",), ignore=("TFG3",))
        for fixed, expected in (
            ((), ((2, 9), ("TFG1",), ("TFG2",))),
            (("select",), ((2, 9), ("TFG7",), ("TFG2",))),
            (("ignore",), ((2, 9), ("TFG1",), ("TFG3",))),
            (("min-tf",), ((2, 12), ("TFG1",), ("TFG2",))),
        ):
            made = found.options(("a.py",), chosen, frozenset(fixed))
            assert (made.min_tf, made.select, made.ignore) == expected

    @pytest.mark.parametrize(
        ("names", "ignored"),
        [
            ("a.py", ("allow-growth",)),
            ("tests/a.py", ("allow-growth", "TFG7", "is-gpu-available")),
            ("sub/tests/b/a.py", ("allow-growth", "TFG7", "is-gpu-available")),
            ("tests", ("allow-growth",)),
            ("sub/conftest.py", ("allow-growth", "TFG1")),
            ("tests/conftest.py", ("allow-growth", "TFG7", "is-gpu-available", "TFG1")),
        ],
    )
    def test_ignored_for_some_files(
        self, tmp_path: Path, names: str, ignored: tuple[str, ...]
    ) -> None:
        made = read(tmp_path, EVERYTHING).options(names.split("/"), Options(), frozenset())
        assert made.ignore == ignored

    def test_the_last_severity_that_holds(self) -> None:
        options = Options(severity=(("TFG", "note"), ("allow-growth", "error"), ("TFG6", "note")))
        growth, session = book().find("TFG101"), book().find("TFG601")
        assert growth is not None
        assert session is not None
        assert options.severity_of(growth, "warning") == "error"
        assert options.severity_of(session, "warning") == "note"
        assert Options().severity_of(session, "warning") == "warning"


@pytest.mark.parametrize(
    ("path", "is_folder", "expected"),
    [
        ("build", True, True),
        ("build", False, False),
        ("src/build", True, True),
        ("build/keep.py", False, False),
        ("src/net_old.py", False, True),
        ("src/net.py", False, False),
    ],
)
def test_excluded(tmp_path: Path, path: str, is_folder: bool, expected: bool) -> None:
    assert read(tmp_path, EVERYTHING).excludes(path.split("/"), is_folder) is expected


@pytest.mark.parametrize("key", ["rules = ['/']", "rules = ['../other']", "baseline = '../x.json'"])
def test_a_configuration_reaches_nothing_outside_its_repository(tmp_path: Path, key: str) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(RuleError, match="a path inside the repository"):
        read(tmp_path / "repository", key)


def test_inside_of_the_repository_it_may_go_up(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "house").mkdir()
    assert read(tmp_path / "sub", "rules = ['../house']").rules == (str(tmp_path / "house"),)


def test_one_that_is_nested_too_deep_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError):
        read(tmp_path, "select = " + "[" * 100_000)


@pytest.mark.parametrize(
    "text",
    ["a." * 10_000 + "b = 1", "[" + "'a' . " * 10_000 + "b]", "a = {" + "b." * 10_000 + "c=1}"],
)
def test_a_key_of_too_many_parts_takes_no_memory(tmp_path: Path, text: str) -> None:
    with pytest.raises(RuleError, match="nested too deep"):
        read(tmp_path, text)


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    found = read(tmp_path, "\ufeffselect = ['TFG1']")
    assert found is not None
    assert found.select == ("TFG1",)


def test_a_file_that_is_a_link_out_of_its_repository_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("tfgpu-token = 'abc'\n")
    (tmp_path / "repository").mkdir()
    for name in ("tfgpu.toml", "pyproject.toml"):
        path = tmp_path / "repository" / name
        path.symlink_to("../secret")
        with pytest.raises(RuleError, match="a link out of it") as error:
            read_configuration(path)
        assert "token" not in str(error.value)
        path.unlink()


def test_a_link_out_of_the_repository_that_is_not_about_tfgpu_does_not_count(
    tmp_path: Path,
) -> None:
    (tmp_path / "shared.toml").write_text("[tool.other]\n")
    path = tmp_path / "repository" / "pyproject.toml"
    path.parent.mkdir()
    path.symlink_to("../shared.toml")
    assert read_configuration(path) is None


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link(path: Path) -> None:
    outside = path.parents[2] / "secret.toml"
    outside.write_text("token = 'abc'\n")
    path.symlink_to(outside)


def _deep(path: Path) -> None:
    path.write_text("a = " + "[" * 100_000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_pipe, "not a regular file"),
        (_link, "a link out of it"),
        (_deep, "nested too deep"),
    ],
)
def test_a_house_rule_that_is_no_file_of_the_repository(
    tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    (tmp_path / "repository" / "house").mkdir(parents=True)
    make(tmp_path / "repository" / "house" / "a.toml")
    with pytest.raises(RuleError, match=said) as error:
        read(tmp_path / "repository", "rules = ['house']")
    assert "token" not in str(error.value)


def test_files_of_rules_that_are_ignored_are_not_taken_back(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"!a.py: found '!a.py', expected a pattern without `!`"):
        read(tmp_path, '[per-file-ignores]\n"!a.py" = ["TFG1"]')


@pytest.mark.parametrize("pattern", ["../x", "..", "./x", "a/../b", "!../x", "/../x"])
def test_a_pattern_that_no_file_below_has_is_an_error(tmp_path: Path, pattern: str) -> None:
    for text in (f'exclude = ["{pattern}"]', f'[per-file-ignores]\n"{pattern}" = ["TFG1"]'):
        with pytest.raises(RuleError, match=r"expected a pattern without `.` and `..`"):
            read(tmp_path, text)
