"""`tfgpu audit`: what it prints where, and how it exits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.tools import BROKEN, CLEAN, GROWTH, KEPT, QUERY, document, tfgpu, write
from tfgpu import __version__


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def codes(output: str) -> list[str]:
    """Return the codes of the findings in the text output, in order."""
    return re.findall(r"^\S+:\d+:\d+: (TFG\d+) ", output, re.M)


class TestExit:
    def test_0_where_nothing_is_found(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", CLEAN)
        result = tfgpu("audit", "a.py")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "Scanned 1 file: 0 findings" in result.stderr

    @pytest.mark.parametrize("text", [GROWTH, KEPT, QUERY])
    def test_1_with_findings(self, tmp_path: Path, text: str) -> None:
        write(tmp_path / "a.py", text)
        assert tfgpu("audit", "a.py").exit_code == 1

    def test_3_where_a_file_failed_and_the_findings_of_the_others_are_there(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "a.py", BROKEN)
        write(tmp_path / "b.py", GROWTH)
        result = tfgpu("audit", "-v", "a.py", "missing.py", "b.py")
        assert result.exit_code == 3
        assert codes(result.stdout) == ["TFG101", "TFG601"]
        failed = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        assert failed == [
            "error: a.py:2: not valid Python 3: invalid syntax",
            "error: missing.py: No such file or directory",
        ]
        assert "Scanned 2 files, " in result.stderr
        assert "2 failed" in result.stderr

    def test_0_in_an_empty_folder(self) -> None:
        result = tfgpu("audit")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "Scanned 0 files: 0 findings\nNothing to do\n"

    def test_it_never_writes(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        tfgpu("audit")
        assert path.read_text() == GROWTH
        assert [item.name for item in tmp_path.iterdir()] == ["a.py"]


class TestText:
    def test_findings_on_standard_output_and_the_summary_on_standard_error(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("audit", "--verbose", "a.py")
        assert result.stdout.splitlines() == [
            "a.py: 2 findings; 1 config, 1 convertible",
            "a.py:5:5: TFG101 allow-growth: allow_growth becomes "
            "tf.config.experimental.set_memory_growth on every GPU",
            "    5 |     config.gpu_options.allow_growth = True",
            "      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
            "    run tfgpu migrate",
            "a.py:6:12: TFG601 session-config: Session(config=...) becomes a session without a "
            "config, which uses the tf.config settings of the process",
            "    6 |     return tf.Session(config=config)",
            "      |            ^^^^^^^^^^^^^^^^^^^^^^^^^",
            "    run tfgpu migrate",
        ]
        assert result.stderr.splitlines() == [
            "Scanned 1 file: 2 findings in 1 file",
            "1 of 1 config converts",
            "Next: tfgpu migrate a.py shows the change, tfgpu migrate --write a.py makes it",
        ]

    def test_a_config_that_is_kept_is_for_hands_and_counted_by_reason(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", KEPT)
        result = tfgpu("audit", "a.py")
        assert "TFG521 graph-options-v1-only [by hand]: config kept: " in result.stdout
        assert "0 of 1 config converts" in result.stderr
        assert result.stderr.splitlines()[2:] == [
            "     1 kept by TFG521 graph-options-v1-only, a.py:6",
            "1 config not converted: works on TensorFlow 2 as tf.compat.v1.ConfigProto; "
            "tfgpu migrate --imports a.py switches the imports by itself",
        ]

    def test_imports_that_stay_are_not_said_to_be_switched(self, tmp_path: Path) -> None:
        raw = KEPT.replace(".compat.v1", "").replace("tf.disable_v2_behavior()\n", "")
        write(tmp_path / "a.py", f"{raw}tf.contrib.layers.fully_connected(1, 2)\n")
        result = tfgpu("audit", "a.py")
        assert "1 config not converted: works on TensorFlow 2" in result.stderr
        assert "--imports" not in result.stderr
        assert tfgpu("migrate", "--imports", "a.py").stdout.count("compat.v1 as tf") == 0

    def test_an_unsafe_fix_is_labelled(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        assert "TFG701 is-gpu-available [unsafe fix]: " in tfgpu("audit", "a.py").stdout

    def test_files_in_the_order_of_the_paths_and_their_names(self, tmp_path: Path) -> None:
        for name in ("b/x.py", "b/a.py", "a/z.py"):
            write(tmp_path / name, QUERY)
        found = re.findall(r"^(\S+):4:12: ", tfgpu("audit", "-v", "b", "a").stdout, re.M)
        assert [Path(name).as_posix() for name in found] == ["b/a.py", "b/x.py", "a/z.py"]

    def test_the_current_folder_is_the_default(self, tmp_path: Path) -> None:
        write(tmp_path / "sub" / "a.py", QUERY)
        assert codes(tfgpu("audit").stdout) == ["TFG701"]


class TestSelection:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ([], ["TFG101", "TFG601", "TFG701"]),
            (["--select", "TFG"], ["TFG101", "TFG601", "TFG701"]),
            (["--select", "TFG7"], ["TFG701"]),
            (["--select", "is-gpu-available"], ["TFG701"]),
            (["--select", "TFG7", "--select", "TFG1", "--select", "TFG6"],
             ["TFG101", "TFG601", "TFG701"]),
            (["--ignore", "TFG701"], ["TFG101", "TFG601"]),
            (["--ignore", "is-gpu-available", "--ignore", "TFG6", "--ignore", "TFG1",
              "--ignore", "not-selected"], []),
            (["--select", "TFG7", "--ignore", "TFG701"], []),
        ],
    )  # fmt: skip
    def test_by_prefix_and_by_name(
        self, tmp_path: Path, arguments: list[str], expected: list[str]
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", QUERY)
        result = tfgpu("audit", "-v", *arguments)
        assert codes(result.stdout) == expected
        assert result.exit_code == bool(expected)

    def test_a_config_with_a_setting_that_is_ignored_is_kept_and_says_so(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("audit", "--ignore", "allow-growth")
        assert "TFG925 not-selected: config kept: " in result.stdout
        assert "0 of 1 config converts" in result.stderr

    @pytest.mark.parametrize("option", ["--select", "--ignore"])
    @pytest.mark.parametrize(
        ("name", "more"),
        [
            ("TFG99x", "did you mean TFG9"),
            ("allow-growht", "did you mean allow-growth?"),
            ("zzzzzz", "see `tfgpu rules`"),
            ("TFG101,TFG102x", "did you mean TFG102?"),
        ],
    )
    def test_a_rule_that_does_not_exist_is_a_usage_error(
        self, tmp_path: Path, option: str, name: str, more: str
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("audit", option, name, "a.py")
        assert (result.exit_code, result.stdout) == (2, "")
        assert (
            f"no rule has the code or name '{name.rsplit(',', maxsplit=1)[-1]}'; {more}"
            in result.stderr
        )

    @pytest.mark.parametrize("option", ["--select", "--ignore"])
    def test_an_empty_rule_is_a_usage_error(self, tmp_path: Path, option: str) -> None:
        # `--ignore "$UNSET"` finds nothing and exits with 0.
        write(tmp_path / "a.py", GROWTH)
        assert tfgpu("audit", option, "", "a.py").exit_code == 2


class TestUsage:
    @pytest.mark.parametrize("version", ["", "two", "2.x", "2.", "-1", "2.4.0rc1", "1.15"])
    def test_a_version_that_is_none(self, version: str) -> None:
        result = tfgpu("audit", f"--min-tf={version}")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"'{version}' is not a version of TensorFlow 2, such as 2.4" in result.stderr

    @pytest.mark.parametrize(
        "arguments",
        [["--jobs", "0"], ["--jobs", "many"], ["--format", "xml"], ["--write"], ["-", "a.py"]],
    )
    def test_options_that_make_no_sense(self, tmp_path: Path, arguments: list[str]) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("audit", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "Usage: tfgpu audit" in result.stderr

    def test_a_command_that_does_not_exist(self) -> None:
        result = tfgpu("adit")
        assert result.exit_code == 2
        assert "No such command 'adit'" in result.stderr

    @pytest.mark.parametrize("flag", ["-h", "--help"])
    def test_help_names_every_command(self, flag: str) -> None:
        result = tfgpu(flag)
        assert result.exit_code == 0
        for name in ("audit", "migrate", "rule", "rules"):
            assert re.search(rf"^  {name} +\S", result.stdout, re.M)
            assert tfgpu(name, flag).exit_code == 0

    def test_version(self) -> None:
        assert __version__ in tfgpu("--version").stdout


class TestJson:
    def test_one_document_and_nothing_else_on_standard_output(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", CLEAN)
        write(tmp_path / "c.py", BROKEN)
        parsed = document()
        assert set(parsed) == {"version", "files", "findings", "summary"}
        assert parsed["version"] == 1
        assert [Path(item["path"]).name for item in parsed["files"]] == ["a.py", "c.py"]
        good, failed = parsed["files"]
        assert good["changes"] is True
        assert good["configs"] == [{"line": 4, "cell": 0, "kept_by": None, "none_by": None}]
        assert "error" not in good
        assert failed["error"]["line"] == 2
        assert failed["error"]["reason"].startswith("not valid Python 3")
        first = parsed["findings"][0]
        assert {key: first[key] for key in ("code", "name", "line", "column", "fix")} == {
            "code": "TFG101", "name": "allow-growth", "line": 5, "column": 5, "fix": "safe",
        }  # fmt: skip

    def test_it_agrees_with_the_text(self, tmp_path: Path) -> None:
        for name, content in (
            ("a.py", GROWTH), ("b.py", CLEAN), ("c.py", BROKEN), ("d.py", KEPT), ("e.py", QUERY),
            ("f.py", ""),
        ):  # fmt: skip
            write(tmp_path / name, content)
        text = tfgpu("audit", "--verbose")
        json_run = tfgpu("audit", "--format", "json")
        parsed = json.loads(json_run.stdout)
        assert json_run.exit_code == text.exit_code == 3
        assert json_run.stderr == text.stderr
        assert [item["code"] for item in parsed["findings"]] == codes(text.stdout)
        summary = parsed["summary"]
        assert summary == {
            "files_read": 6,
            "files_parsed": 3,
            "files_failed": 1,
            "findings": len(codes(text.stdout)),
            "notes": 0,
            "configs_found": 2,
            "configs_convertible": 1,
            "configs_kept": 1,
            "kept_by_reason": {"TFG521": 1},
            "kept_programs": [],
            "causes": [{"cause": "./d.py:6 TFG521", "configs": ["./d.py:5"]}],
        }
        assert text.stderr.splitlines()[1:3] == [
            f"Scanned 6 files, 1 failed: {summary['findings']} findings in 3 files",
            "1 of 2 configs convert",
        ]

    def test_without_findings(self) -> None:
        parsed = document()
        assert (parsed["files"], parsed["findings"]) == ([], [])
        assert parsed["summary"]["files_read"] == 0

    def test_a_line_break_in_a_name_is_escaped(self, tmp_path: Path) -> None:
        write(tmp_path / "a\nb.py", QUERY)
        assert [item["path"] for item in document("a\nb.py")["findings"]] == ["a\nb.py"]


class TestNames:
    @pytest.mark.parametrize("name", ["a\nb.py", "a\rb.py", "a\x1b[31mb.py", "a\u2028b.py"])
    def test_the_line_of_a_failure_is_one_line(self, tmp_path: Path, name: str) -> None:
        write(tmp_path / name, BROKEN)
        first, *rest = tfgpu("audit").stderr.splitlines()
        assert first.startswith("error: ")
        assert first.isprintable()
        assert "not valid Python 3" in first
        assert len(rest) == 1

    @pytest.mark.parametrize("name", ["sp ace.py", "é☃.py", "[x].py", "-x.py", "x.PY.py", "%s.py"])
    def test_odd_names(self, tmp_path: Path, name: str) -> None:
        write(tmp_path / name, QUERY)
        assert f"{name}:4:12: TFG701" in tfgpu("audit", "--", name).stdout

    @pytest.mark.parametrize("name", ["a\nb.py", "a\rb.py", "a\x07b.py"])
    @pytest.mark.parametrize("arguments", [["audit"], ["migrate"]])
    def test_a_name_is_printed_on_one_line(
        self, tmp_path: Path, name: str, arguments: list[str]
    ) -> None:
        write(tmp_path / name, GROWTH)
        lines = tfgpu(*arguments, name).stdout.split("\n")
        assert all(line.isprintable() for line in lines), lines
        assert not any(line.startswith("b.py") for line in lines), lines


class TestParallel:
    def test_jobs_change_nothing(self, tmp_path: Path) -> None:
        for number in range(30):
            text = (GROWTH, KEPT, QUERY, BROKEN, CLEAN)[number % 5]
            write(tmp_path / f"{number:02}.py", text)
        one, two = (tfgpu("audit", "-v", "--jobs", jobs) for jobs in ("1", "2"))
        assert (one.exit_code, one.stdout, one.stderr) == (two.exit_code, two.stdout, two.stderr)
        assert len(codes(one.stdout)) == 30


class TestNotes:
    def test_notes_alone_are_no_failure(self, tmp_path: Path) -> None:
        script = tmp_path / "run.sh"
        script.write_text("export CUDA_VISIBLE_DEVICES=0\npython train.py\n")
        result = tfgpu("audit", str(script))
        assert result.exit_code == 0
        assert "TFE001" in result.stdout
        assert "1 finding (1 note)" in result.stderr
        script.write_text("CUDA_VISIBLE_DEVICES = 0 python train.py\n")
        assert tfgpu("audit", str(script)).exit_code == 1
