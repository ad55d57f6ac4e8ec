"""What people know from ruff: lists with commas, --isolated, did you mean, completion, statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tools import (
    BROKEN,
    CLEAN,
    GROWTH,
    KEPT,
    QUERY,
    command,
    document,
    environment,
    started,
    tfgpu,
    write,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(*arguments: str) -> list[tuple[str, str]]:
    found = document(*arguments)["findings"]
    return [(Path(item["path"]).as_posix(), item["code"]) for item in found]


class TestSelection:
    def test_commas_do_what_repetition_does(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH + QUERY)
        assert found("--select", "TFG7, allow-growth", "--ignore", "TFG702,TFG703") == found(
            "--select", "TFG7", "--select", "allow-growth", "--ignore", "TFG702"
        )
        assert [code for _, code in found("--select", "TFG1,TFG7")] == ["TFG101", "TFG701"]

    def test_extend_select_adds_to_what_a_configuration_selects(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH + QUERY)
        write(tmp_path / "tfgpu.toml", "select = ['TFG1']\n")
        assert [code for _, code in found("--extend-select", "TFG7")] == ["TFG101", "TFG701"]

    def test_extend_select_takes_nothing_away_where_all_rules_hold(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH + QUERY)
        assert found("--extend-select", "TFG7") == found()


class TestFiles:
    def test_exclude_leaves_out_files_and_folders(self, tmp_path: Path) -> None:
        for name in ("a.py", "b.py", "old/c.py", "deep/old/d.py"):
            write(tmp_path / name, QUERY)
        assert {path for path, _ in found("--exclude", "old/,b.py")} == {"a.py"}
        assert found("old/c.py", "--exclude", "old") == []
        told = tfgpu("audit", "--exclude", "./old")
        assert told.exit_code == 2
        assert "--exclude: './old': a pattern is for files below this folder" in told.stderr

    def test_exclude_adds_to_the_configuration(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "exclude = ['a.py']\n")
        for name in ("a.py", "b.py", "c.py"):
            write(tmp_path / name, QUERY)
        assert {path for path, _ in found("--exclude", "b.py")} == {"c.py"}

    def test_isolated_reads_no_configuration(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "select = 3\n")
        write(tmp_path / "a.py", QUERY)
        assert tfgpu("audit").exit_code == 2
        assert found("--isolated") == [("a.py", "TFG701")]

    def test_a_configuration_that_is_named_holds_instead(
        self, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        write(tmp_path / "tfgpu.toml", "ignore = ['TFG7']\n")
        write(tmp_path / "a.py", GROWTH + QUERY)
        write(tmp_path / "old" / "b.py", GROWTH)
        text = "select = ['TFG7']\nexclude = ['old/']\n"
        other = write(tmp_path_factory.mktemp("other") / "tfgpu.toml", text)
        assert found("--config", str(other)) == [("a.py", "TFG701")]
        elsewhere = write(tmp_path_factory.mktemp("elsewhere") / "x.py", GROWTH + QUERY)
        assert found("--config", str(other), str(elsewhere)) == [(str(elsewhere), "TFG701")]

    def test_a_configuration_that_is_named_must_be_one(self, tmp_path: Path) -> None:
        other = write(tmp_path / "pyproject.toml", "[tool.ruff]\n")
        result = tfgpu("audit", "--config", str(other))
        assert result.exit_code == 2
        assert "tool.tfgpu" in result.stderr

    def test_show_files(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "run.sh", "export CUDA_VISIBLE_DEVICES=0\n")
        write(tmp_path / "old" / "b.py", QUERY)
        shown = tfgpu("audit", "--show-files", "--exclude", "old")
        assert (shown.stdout, shown.exit_code) == ("./a.py\n./run.sh\n", 0)
        assert tfgpu("migrate", "--show-files").stdout == "./a.py\n./old/b.py\n"

    def test_show_settings(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "select = ['TFG1']\nmin-tf = '2.9'\nexclude = ['!a/']\n")
        options = ("--show-settings", "--extend-select", "TFG7", "--exclude", "b.py")
        lines = tfgpu("audit", *options).stdout.splitlines()
        assert lines[0] == f"configuration: {tmp_path.resolve() / 'tfgpu.toml'}"
        assert {"select: TFG1, TFG7", "min-tf: 2.9", "exclude: !a/, b.py"} <= set(lines)


class TestDidYouMean:
    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("audti", "No such command 'audti'; did you mean audit?"),
            ("audit --select allow-grwth", "did you mean allow-growth?"),
            ("audit --output-format jsno", "did you mean json?"),
            ("audit --selct TFG1", "--select"),
            ("rule allow-grwth", "did you mean allow-growth?"),
            ("rule TFG11", "no rule 'TFG11': it begins TFG110, TFG111"),
            ("rule TFG", " more"),
            ("completion bsh", "'fish'; did you mean bash?"),
            ("predict T5", "Error: 'T5' is no number of GPUs"),
            ("predict T4 --output-format jsno", "did you mean json?"),
            ("simulate -- nosuchcommand", "nosuchcommand: no such command"),
            ("simulate python x.py", "tfgpu simulate -- python x.py"),
            ("audit --select tfg1", "did you mean TFG1?"),
            ("audit --output-format JSON", "did you mean json?"),
            ("rule XYZ", "no rule 'XYZ'; see `tfgpu rules`"),
            ("audit --show-files nowhere", "error: nowhere: No such file"),
            ("audit --show-settings nowhere", "'nowhere': No such file"),
            ("audit --show-settings --show-files", "exclude each other"),
            ("audit --reason because", "--reason needs --add-ignores"),
            ("migrate --unsafe-fixes --gpu-memory 0", "'0' is no size such as 16GiB"),
            ("migrate --verify --gpus two", "--gpus: 'two' is none of auto, real, sim:2"),
            ("simulate --log nowhere/x -- ls", "nowhere/x: No such file or directory"),
        ],
    )
    def test_the_error_names_what_was_meant(self, line: str, said: str) -> None:
        result = tfgpu(*line.split())
        assert result.exit_code == 2
        assert said in result.stderr


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_each_shell_has_its_script(self, shell: str) -> None:
        assert f"_TFGPU_COMPLETE={shell}_complete" in tfgpu("completion", shell).stdout

    def completed(self, words: str) -> set[str]:
        variables = {"_TFGPU_COMPLETE": "bash_complete", "COMP_WORDS": words}
        count = str(len(words.split()) - (not words.endswith(" ")))
        program = "from tfgpu.cli import main; main(prog_name='tfgpu')"
        done = subprocess.run(
            [command()[0], "-c", program], capture_output=True, text=True, check=False,
            env=environment(**variables, COMP_CWORD=count),
        )  # fmt: skip
        return {line.partition(",")[2] for line in done.stdout.splitlines()}

    def test_commands_and_rules(self) -> None:
        assert {"audit", "migrate"} <= self.completed("tfgpu ")
        assert "allow-growth" in self.completed("tfgpu rule allow")
        assert "TFG101,memory-fraction" in self.completed("tfgpu audit --select TFG101,memory-f")


class TestStatus:
    def test_a_file_that_failed_does_not_hide_findings(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", BROKEN)
        write(tmp_path / "b.py", CLEAN)
        assert tfgpu("audit").exit_code == 2
        write(tmp_path / "b.py", KEPT)
        assert tfgpu("audit").exit_code == 3
        assert tfgpu("audit", "--exit-zero").exit_code == 2

    def test_nor_files_that_would_change(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", BROKEN)
        write(tmp_path / "b.py", GROWTH)
        assert tfgpu("migrate", "--check").exit_code == 3
        assert tfgpu("migrate").exit_code == 2

    def test_a_reader_that_has_enough(self, tmp_path: Path) -> None:
        for number in range(300):
            write(tmp_path / f"{number}.py", QUERY)
        with subprocess.Popen(
            command("audit", "-v", "--jobs", "1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(), cwd=tmp_path,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert b"Traceback" not in process.stderr.read()
        assert process.returncode == 128 + 13


def test_quiet_shows_results_and_errors_only(tmp_path: Path) -> None:
    write(tmp_path / "a.py", BROKEN)
    write(tmp_path / "b.py", GROWTH)
    loud, quiet = tfgpu("audit"), tfgpu("audit", "-q")
    assert quiet.stdout == loud.stdout
    assert quiet.stderr.splitlines() == loud.stderr.splitlines()[:1]
    assert tfgpu("migrate", "-q").stdout == tfgpu("migrate").stdout


def test_format_is_another_name_of_output_format(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    for name in ("audit", "inventory"):
        one, other = (
            tfgpu(name, option, "json").stdout for option in ("--format", "--output-format")
        )
        assert one == other
        json.loads(one)


def test_rules_as_json() -> None:
    listed = tfgpu("rules").stdout.splitlines()
    rules = json.loads(tfgpu("rules", "--output-format", "json").stdout)
    assert [rule["code"] for rule in rules] == [line.split()[0] for line in listed]
    (growth,) = (rule for rule in rules if rule["name"] == "allow-growth")
    assert growth["settings"] == ["gpu_options.allow_growth"]
    assert growth["fix"] == "safe"


def test_version_has_a_short_option() -> None:
    assert tfgpu("-V").stdout == tfgpu("--version").stdout


def test_no_progress_where_nobody_looks(tmp_path: Path) -> None:
    write(tmp_path / "a.py", QUERY)
    assert b"analysed" not in started("audit", folder=tmp_path).stderr


@pytest.mark.parametrize("option", ["--output", "--write-baseline"])
def test_a_report_is_not_written_through_a_link_out_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    (tmp_path / "repository").mkdir()
    text = '{"version": 1, "findings": []}'
    outside = write(tmp_path / "outside", text)
    link = tmp_path / "repository" / "report"
    link.symlink_to("../outside")
    monkeypatch.chdir(tmp_path / "repository")
    result = tfgpu("audit", option, "report")
    assert result.exit_code == 2
    assert "a symbolic link out of its folder" in result.stderr
    assert outside.read_text() == text


@pytest.mark.parametrize(
    "line",
    [
        "audit --output a.py",
        "audit --write-baseline a.py",
        "inventory --output a.py",
        "migrate --report a.py",
        "verify a.py --evidence a.py",
        "simulate --log a.py -- ls",
    ],
)
def test_a_program_is_not_overwritten_by_a_report(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    result = tfgpu(*line.split())
    assert result.exit_code == 2
    assert "a.py is no report; it is not overwritten" in result.stderr
    assert path.read_text() == GROWTH


@pytest.mark.parametrize("option", ["audit --output", "migrate --report"])
def test_a_link_to_a_program_is_not_overwritten(tmp_path: Path, option: str) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    (tmp_path / "report.txt").symlink_to("a.py")
    result = tfgpu(*option.split(), str(tmp_path / "report.txt"))
    assert result.exit_code == 2
    assert "report.txt is no report; it is not overwritten" in result.stderr
    assert path.read_text() == GROWTH


@pytest.mark.parametrize("line", ["#!/usr/bin/env python", "#!/bin/sh"])
def test_a_script_without_a_suffix_is_not_overwritten(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "train", f"{line}\n")
    result = tfgpu("audit", "--output", str(path))
    assert result.exit_code == 2
    assert "train is no report; it is not overwritten" in result.stderr
    assert path.read_text() == f"{line}\n"


FORMATS = ("json", "jsonl", "sarif", "gitlab", "rdjson", "markdown", "html", "junit")


@pytest.mark.parametrize(
    "line",
    [
        *(f"audit a.py --format {kind} --output" for kind in FORMATS),
        "audit clean.py --format json --output",
        "audit clean.py --format gitlab --output",
        "audit clean.py --format markdown --output",
        "audit clean.py --format html --output",
        "audit clean.py --format junit --output",
        "migrate a.py --report",
        "migrate clean.py --report",
        "audit a.py --write-baseline",
        "inventory a.py --format json --output",
        "inventory a.py --format jsonl --output",
    ],
)
def test_an_earlier_report_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "clean.py", CLEAN)
    for name in ("report.json", "report.md"):
        assert tfgpu(*line.split(), name).exit_code < 2
        assert (tmp_path / name).read_text().strip()
        assert tfgpu(*line.split(), name).exit_code < 2


def test_an_empty_file_is_replaced(tmp_path: Path) -> None:
    report = write(tmp_path / "report.json", "\n")
    tfgpu("audit", str(write(tmp_path / "a.py", GROWTH)), "--output", str(report))
    assert "allow-growth" in report.read_text()


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "app", "version": "1.0"}',
        '{"version": 1, "settings": {"gpu": "tfgpu"}}',
        '{"version": 1, "findings": [{"path": "a", "rule": "x"}]}',
        '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "other"}}}]}',
        '[{"label": "audit", "command": "tfgpu audit"}]',
        '{"inputs": ["a.py"]}\n{"inputs": []}\n',
        '{"runs": []}',
        "[" * 100_000,
        "3",
        "no JSON",
    ],
)
def test_other_json_is_not_replaced(tmp_path: Path, text: str) -> None:
    write(tmp_path / "a.py", GROWTH)
    path = write(tmp_path / "tasks.json", text)
    result = tfgpu("audit", str(tmp_path / "a.py"), "--output", str(path))
    assert result.exit_code == 2
    assert "tasks.json is no report; it is not overwritten" in result.stderr
    assert path.read_text() == text


@pytest.mark.parametrize("name", ["README.md", "index.HTML", "pom.xml", "data.jsonl"])
@pytest.mark.parametrize("option", ["audit --output", "migrate --report", "inventory --output"])
def test_other_documents_are_not_replaced(tmp_path: Path, option: str, name: str) -> None:
    source = write(tmp_path / "a.py", GROWTH)
    path = write(tmp_path / name, "# A program for tfgpu\n")
    result = tfgpu(*option.split()[:1], str(source), option.split()[1], str(path))
    assert result.exit_code == 2
    assert f"{name} is no report; it is not overwritten" in result.stderr
    assert path.read_text() == "# A program for tfgpu\n"


@pytest.mark.parametrize("option", ["audit --output", "migrate --report"])
def test_the_name_of_a_report_is_not_empty(tmp_path: Path, option: str) -> None:
    write(tmp_path / "a.py", GROWTH)
    result = tfgpu(*option.split(), "")
    assert result.exit_code == 2
    assert "the name is empty" in result.stderr


def test_nothing_to_do_is_said_alone(tmp_path: Path) -> None:
    write(tmp_path / "a.py", KEPT)
    known = tfgpu("audit", "--write-baseline", "known")
    assert known.exit_code == 0
    said = tfgpu("audit", "--baseline", "known").stderr
    assert "1 config not converted" in said
    assert "Nothing to do" not in said


def test_the_report_does_not_send_to_itself(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH + "\n\nslim = tf.contrib.slim\n")
    said = tfgpu("migrate", "--report", "m.md").stderr
    assert "; m.md has an answer each" in said
    assert "--report FILE has" not in (tmp_path / "m.md").read_text()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="/dev/stdout")
def test_a_report_can_go_to_the_device_of_standard_output(tmp_path: Path) -> None:
    write(tmp_path / "a.py", "")
    command = [sys.executable, "-m", "tfgpu", "audit", "-q", "--format", "json", "-o"]
    done = subprocess.run([*command, "/dev/stdout"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["findings"] == []


class TestNext:
    """The command to type next does what this one showed."""

    def test_options_of_the_audit(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        options = ("--exclude", "b c", "--min-tf", "2.9", "--isolated", "a.py")
        said = tfgpu("audit", *options).stderr.splitlines()[-1]
        assert said.startswith("Next: tfgpu migrate --exclude 'b c' --min-tf 2.9 --isolated a.py ")

    @pytest.mark.parametrize(
        "options",
        ["--bridge", "--imports", "--unsafe-fixes --gpu-memory 16384MiB --select TFG1,TFG6"],
    )
    def test_options_of_the_migration(self, tmp_path: Path, options: str) -> None:
        write(tmp_path / "a.py", GROWTH)
        shown = tfgpu("migrate", *options.split(), "a.py")
        said = shown.stderr.splitlines()[-1].removesuffix(" makes the change")
        assert said == f"Next: tfgpu migrate --write {options} a.py"
        again = tfgpu(*said.removeprefix("Next: tfgpu ").split())
        assert again.exit_code == 0
        assert "1 file(s) written" in again.stderr


@pytest.mark.parametrize("options", ["--gpus sim:2", "--steps 5", "--quick", "--stub h5py"])
def test_options_of_runs_need_a_run(options: str) -> None:
    result = tfgpu("migrate", *options.split())
    assert result.exit_code == 2
    assert f"{options.split(maxsplit=1)[0]} needs --verify" in result.stderr


@pytest.mark.parametrize("line", ["%matplotlib inline", "!pip install tensorflow"])
def test_a_line_of_ipython_in_a_script_is_named(tmp_path: Path, line: str) -> None:
    write(tmp_path / "export.py", f"{line}\n{GROWTH}")
    write(tmp_path / "other.py", GROWTH)
    result = tfgpu("audit")
    assert result.exit_code == 3
    error = result.stderr.splitlines()[0]
    assert error.startswith(f"error: ./export.py:1: an IPython command (`{line}`) is not Python")
    assert "other.py:4: config converts" in result.stdout


def test_the_next_command_names_the_first_of_many_paths(tmp_path: Path) -> None:
    names = [f"m{number:02}.py" for number in range(20)]
    for name in names:
        write(tmp_path / name, GROWTH)
    shown = f"tfgpu migrate --write {' '.join(names[:7])} ... makes it"
    assert shown in tfgpu("audit", *names).stderr
