"""How teams use tfgpu: configuration files, house rules, a baseline, changed lines, comments."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.tools import BROKEN, CLEAN, GROWTH, QUERY, SHARED, document, tfgpu, write
from tests.rulebook.test_house import WRAPPER
from tests.test_git import commit, git
from tfgpu.cli.audit import Narrowing
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Finding, Result

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
WRAPPED = "import mylib\n\ndef train():\n    return mylib.make_session(growth=True)\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(*arguments: str) -> list[tuple[str, str]]:
    """Return the file and the code of every finding of an audit."""
    output = tfgpu("audit", "--verbose", *arguments).stdout
    found = re.findall(r"^(\S+):\d+:\d+: ([A-Z]{3}\d+) ", output, re.M)
    return [(Path(path).as_posix(), code) for path, code in found]


def errors(*arguments: str, status: int = 2) -> str:
    result = tfgpu(*arguments)
    assert result.exit_code == status
    return result.stderr


class TestConfiguration:
    def test_each_file_has_the_nearest(self, tmp_path: Path) -> None:
        write(tmp_path / "pyproject.toml", "[tool.tfgpu]\nselect = ['TFG1']\n")
        write(tmp_path / "sub" / "tfgpu.toml", "select = ['TFG6', 'TFG7']\n")
        for folder in (".", "sub", "sub/deep"):
            write(tmp_path / folder / "a.py", GROWTH + QUERY)
        every = [("a.py", "TFG101")]
        sub = [(f"sub/{name}", code) for name in ("a.py", "deep/a.py") for code in
               ("TFG601", "TFG701")]  # fmt: skip
        # A config with a setting that is not selected is kept, and TFG925 is not selected.
        assert told() == every + sub
        assert told("sub/deep", "a.py") == sub[2:] + every
        assert told("--select", "TFG1") == [
            (name, "TFG101") for name in ("a.py", "sub/a.py", "sub/deep/a.py")
        ]

    def test_select_and_ignore_of_the_command_line_go_first(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "select = ['TFG7']\nignore = ['TFG701']\n")
        write(tmp_path / "a.py", QUERY)
        assert told() == []
        assert told("--ignore", "TFG1") == [("a.py", "TFG701")]
        assert told("--select", "TFG7") == []

    def test_min_tf(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "sub" / "a.py", GROWTH)
        write(tmp_path / "sub" / "tfgpu.toml", "min-tf = '2.0'\n")
        old = "tf.config.experimental.list_physical_devices"
        assert tfgpu("migrate", "sub").stdout.count(old) == 1
        assert tfgpu("migrate").stdout.count(old) == 1
        assert tfgpu("migrate", "--min-tf", "2.4").stdout.count(old) == 0

    def test_ignored_for_some_files_and_severities(self, tmp_path: Path) -> None:
        write(
            tmp_path / "tfgpu.toml",
            "[per-file-ignores]\n'tests/' = ['TFG7']\n[severity]\nTFG7 = 'error'\n",
        )
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "tests" / "a.py", QUERY)
        (finding,) = document()["findings"]
        assert (Path(finding["path"]).name, finding["severity"]) == ("a.py", "error")

    def test_files_that_are_analysed_together_have_their_own_options(self, tmp_path: Path) -> None:
        write(tmp_path / "conf.py", "import tensorflow as tf\n\ndef make():\n    return "
              "tf.ConfigProto(allow_soft_placement=True)\n")  # fmt: skip
        write(tmp_path / "main.py", "import tensorflow as tf\nimport conf\n\ndef main():\n    "
              "return tf.Session(config=conf.make())\n")  # fmt: skip
        assert told() == [("conf.py", "TFG301"), ("main.py", "TFG601")]
        write(tmp_path / "tfgpu.toml", "per-file-ignores.'main.py' = ['TFG6', 'TFG3']\n")
        assert told() == [("conf.py", "TFG301")]
        assert "2 file(s) would change" in tfgpu("migrate").stderr
        write(tmp_path / "tfgpu.toml", "per-file-ignores.'conf.py' = ['TFG3']\n")
        assert told() == [("conf.py", "TFG925"), ("main.py", "TFG601")]
        assert "0 file(s) would change" in tfgpu("migrate").stderr

    def test_what_is_excluded_is_not_read_also_where_it_is_named(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "exclude = ['old/', '*_pb2.py']\n")
        for name in ("a.py", "old/a.py", "x_pb2.py", "new/x_pb2.py"):
            write(tmp_path / name, QUERY)
        assert told() == told(".") == [("a.py", "TFG701")]
        result = tfgpu("audit", "old/a.py", "x_pb2.py", "a.py")
        assert result.stdout.count("TFG701") == 1
        assert result.stderr.splitlines()[:2] == [
            "excluded by --exclude or the configuration: old/a.py",
            "excluded by --exclude or the configuration: x_pb2.py",
        ]
        assert tfgpu("audit", "old").exit_code == 0
        assert tfgpu("migrate", "--write", "old/a.py", "old").exit_code == 0

    def test_many_files_in_several_processes(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "rules = ['house']\nseverity.HOU = 'note'\n")
        write(tmp_path / "house" / "a.toml", WRAPPER)
        write(tmp_path / "other" / "tfgpu.toml", "")
        for number in range(30):
            write(tmp_path / ("other" if number % 2 else ".") / f"{number:02}.py", WRAPPED)
        one, two = (tfgpu("audit", "-v", "--jobs", jobs) for jobs in ("1", "2"))
        assert (one.stdout, one.stderr) == (two.stdout, two.stderr)
        assert one.stdout.count("HOU001") == 15
        assert "other" not in one.stdout

    @pytest.mark.parametrize("command", ["audit", "migrate", "rules"])
    def test_a_wrong_file_ends_the_run(self, tmp_path: Path, command: str) -> None:
        write(tmp_path / "tfgpu.toml", "selct = ['TFG1']\n")
        write(tmp_path / "a.py", QUERY)
        result = tfgpu(command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"Error: {tmp_path / 'tfgpu.toml'}: selct: found ['TFG1'], expected no such key; "
            "did you mean select?\n"
        )

    @pytest.mark.parametrize("command", ["audit", "migrate"])
    def test_a_wrong_file_beside_what_was_named(self, tmp_path: Path, command: str) -> None:
        for name in ("one", "two"):
            write(tmp_path / name / "pyproject.toml", "")
            write(tmp_path / name / "a.py", GROWTH)
        wrong = write(tmp_path / "one" / "beside" / "tfgpu.toml", "ignore = 3\n")
        write(tmp_path / "one" / "beside" / "b.py", GROWTH)
        result = tfgpu(command, *(str(tmp_path / name / "a.py") for name in ("one", "two")))
        assert result.exit_code == {"audit": 3, "migrate": 2}[command]
        assert f"a.py: a configuration of its project is wrong: {wrong}: ignore" in result.output
        assert "please report" not in result.output
        assert "1 failed" in result.output
        assert "1 of 1 config converts" in result.output

    def test_a_wrong_file_further_down(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "sub" / "tfgpu.toml", "select = 3\n")
        write(tmp_path / "sub" / "b.py", QUERY)
        assert "select: found 3, expected a list of strings" in errors("audit")


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("run.sh", "export CUDA_VISIBLE_DEVICES=0,x{}\n"),
            ("Dockerfile", "FROM x\n{}ENV CUDA_VISIBLE_DEVICES=0,x\n"),
            (".env", "{}CUDA_VISIBLE_DEVICES=0,x\n"),
            ("job.yaml", "env:\n  {}CUDA_VISIBLE_DEVICES: 0,x\n"),
            ("launch.json", '{{"configurations": [{{"env": {{\n{}"CUDA_VISIBLE_DEVICES": "0,x"'
             "\n}}}}]}}\n"),
        ],
    )  # fmt: skip
    def test_comments_and_configuration_hold_there_too(
        self, tmp_path: Path, name: str, text: str
    ) -> None:
        mark = "//" if name == "launch.json" else "#"
        comment = f"{mark} tfgpu: ignore[TFE] set by hand"
        write(tmp_path / name, text.format(""))
        assert tfgpu("audit").exit_code == 1
        line_of_its_own = f"  {comment}" if name == "run.sh" else f"{comment}\n  "
        write(tmp_path / name, text.format(line_of_its_own))
        assert (tfgpu("audit").exit_code, tfgpu("audit").stdout) == (0, "")
        write(tmp_path / name, text.format(""))
        write(tmp_path / "tfgpu.toml", f"per-file-ignores.'{name}' = ['TFE']\n")
        assert tfgpu("audit").exit_code == 0


class TestStandardInput:
    def test_it_has_the_configuration_of_its_name(self, tmp_path: Path) -> None:
        write(tmp_path / "sub" / "tfgpu.toml", "ignore = ['TFG701']\nexclude = ['old/']\n")
        data = QUERY.encode()
        assert "<stdin>:4:12: TFG701" in tfgpu("audit", "-", stdin=data).stdout
        named = tfgpu("audit", "-", "--stdin-filename", "other/a.py", stdin=data)
        assert "other/a.py:4:12: TFG701" in named.stdout
        assert tfgpu("audit", "-", "--stdin-filename", "sub/a.py", stdin=data).stdout == ""

    def test_what_is_excluded_stays(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "exclude = ['old/']\n")
        arguments = ("-", "--stdin-filename", "old/a.py")
        result = tfgpu("migrate", "--write", *arguments, stdin=GROWTH.encode())
        assert result.stdout == GROWTH
        assert "excluded by --exclude or the configuration: old/a.py" in result.stderr
        assert tfgpu("audit", *arguments, stdin=GROWTH.encode()).exit_code == 0

    def test_the_name_is_for_standard_input_only(self) -> None:
        assert "--stdin-filename needs - as the only path" in errors(
            "audit", "a.py", "--stdin-filename", "b.py"
        )


class TestExitZero:
    def test_findings_do_not_fail_and_errors_do(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        result = tfgpu("audit", "--exit-zero")
        assert (result.exit_code, "TFG701" in result.stdout) == (0, True)
        write(tmp_path / "b.py", BROKEN)
        assert tfgpu("audit", "--exit-zero").exit_code == 2


class TestHouseRules:
    @pytest.fixture(autouse=True)
    def _rules(self, tmp_path: Path) -> None:
        write(tmp_path / "tfgpu.toml", "rules = ['house']\n")
        write(tmp_path / "house" / "session.toml", WRAPPER)

    def test_they_behave_like_built_in_ones(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", WRAPPED)
        assert told() == [("a.py", "HOU001"), ("a.py", "TFG101")]
        assert told("--select", "make-session") == [("a.py", "HOU001"), ("a.py", "TFG925")][:1]
        assert told("--ignore", "HOU") == [("a.py", "TFG101")]
        assert "-    return mylib.make_session(growth=True)" in tfgpu("migrate").stdout
        assert tfgpu("migrate", "--write").exit_code == 0
        assert "return mylib.make_session()" in (tmp_path / "a.py").read_text()
        assert tfgpu("migrate", "--check").exit_code == 0

    def test_they_are_shown(self) -> None:
        line = next(line for line in tfgpu("rules").stdout.splitlines() if line[:3] == "HOU")
        assert line.split()[:5] == ["HOU001", "make-session", "warning", "safe", "approximate"]
        assert tfgpu("rule", "make-session").stdout.startswith("# HOU001 make-session\n")

    def test_they_are_unknown_elsewhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "else").mkdir()
        write(tmp_path / "else" / "tfgpu.toml", "")
        monkeypatch.chdir(tmp_path / "else")
        assert "no rule has the code or name 'HOU001'" in errors("audit", "--select", "HOU001")
        assert errors("rule", "HOU001")
        assert tfgpu("audit", "--select", "HOU001", str(tmp_path)).exit_code == 0

    def test_a_kept_config_of_one_is_counted(self, tmp_path: Path) -> None:
        text = WRAPPER.replace('"always"', '"never"\nreason = "no"\ntodo = "t"')
        write(tmp_path / "house" / "session.toml", text)
        write(tmp_path / "a.py", WRAPPED)
        assert "1 kept by HOU001 make-session, ./a.py:4" in tfgpu("audit").stderr

    def test_a_wrapper_in_a_file_that_is_analysed_together_with_its_callers(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "mylib.py", "import tensorflow as tf\n\ndef get_config():\n    return "
              "tf.ConfigProto(operation_timeout_in_ms=5)\n\ndef make_session(name=None, "
              "growth=None):\n    return open(name, growth)\n")  # fmt: skip
        write(tmp_path / "a.py", WRAPPED + "\ndef other():\n    return mylib.tf.Session("
              "config=mylib.get_config())\n")  # fmt: skip
        # Beside the config of mylib, which another function of the file takes.
        assert {("a.py", "TFG101"), ("a.py", "TFG938")} <= set(told())


class TestRuleTest:
    def test_examples_that_hold(self, tmp_path: Path) -> None:
        example = (
            "[[example]]\nbefore = '''\nimport mylib\n\nsess = mylib.make_session(growth=True)\n'''"
            "\nafter = '''\nimport mylib\nimport tensorflow as tf\n\n"
            'for gpu in tf.config.list_physical_devices("GPU"):\n'
            "    tf.config.experimental.set_memory_growth(gpu, True)\n"
            "sess = mylib.make_session()\n'''\n"
        )
        quiet = "[[example]]\nreported = false\nbefore = '''\nx = 1\n'''\n"
        text = WRAPPER.partition("[[example]]")[0] + example + quiet
        write(tmp_path / "house" / "a.toml", text)
        result = tfgpu("rule", "--test", "house/a.toml")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "1 rule(s), 2 example(s), 0 problem(s)\n"

    @pytest.mark.parametrize(
        ("before", "more", "told"),
        [
            ("x = 1", "", "example[0]: HOU001 says nothing about before"),
            ("import mylib\nmylib.make_session(growth=None or 1)", "reported = false",
             "example[0]: HOU001 is reported, and reported = false"),
            ("import mylib\nmylib.make_session(growth=False)", "", "example[0]: before becomes "
             "something else than after:\n--- expected\n+++ made\n@@ -1,2 +1,2 @@\n import mylib\n"
             "-mylib.make_session(growth=False)\n+mylib.make_session()"),
            ("import mylib\nmylib.make_session(growth='yes')",
             "after = '''\nimport mylib\nmylib.make_session(growth=False)\n'''",
             "example[0]: after does not stay as it is:\n"),
            ("import mylib\nmylib.make_session(", "",
             "example[0]: before: not valid Python 3: '(' was never closed"),
            ("import mylib\nmylib.make_session(growth='yes')", "after = '''\nmake_session = (\n'''",
             "example[0]: after: not valid Python 3: '(' was never closed"),
            ("x = 1", "min_tf = 'two'", "example[0]: min_tf: 'two' is no version of TensorFlow "
             "2, such as 2.4"),
        ],
    )  # fmt: skip
    def test_examples_that_do_not(self, tmp_path: Path, before: str, more: str, told: str) -> None:
        example = f"[[example]]\nbefore = '''\n{before}\n'''\n{more}\n"
        write(tmp_path / "house.toml", WRAPPER.partition("[[example]]")[0] + example)
        result = tfgpu("rule", "--test", "house.toml")
        assert result.exit_code == 1
        assert result.stdout.startswith(str(tmp_path / "house.toml"))
        assert told in result.stdout

    def test_a_parameter_that_nothing_shows(self, tmp_path: Path) -> None:
        by_name = "import mylib\nmylib.make_session(by_name='yes')"
        example = f'[[example]]\nreported = false\nbefore = """\n{by_name}\n"""\n'
        text = (
            WRAPPER.partition("[[example]]")[0].replace('argument = "growth"', 'argument = "nope"')
            + example
        )
        write(tmp_path / "house.toml", text)
        result = tfgpu("rule", "--test", "house.toml")
        assert result.exit_code == 1
        assert "house.toml: argument: 'nope' is a parameter of none of [calls]" in result.stdout
        write(tmp_path / "named.toml", text.replace('"nope"', '"by_name"', 1))
        assert "parameter of none" not in tfgpu("rule", "--test", "named.toml").stdout

    def test_a_rule_that_is_wrong(self, tmp_path: Path) -> None:
        write(tmp_path / "house.toml", WRAPPER.replace("HOU001", "TFG001"))
        assert "house.toml: code: found 'TFG001', expected" in errors(
            "rule", "--test", "house.toml"
        )

    @pytest.mark.parametrize("arguments", [[], ["--test", "nowhere.toml"], ["TFG1", "--test", "."]])
    def test_wrong_arguments(self, arguments: list[str]) -> None:
        assert "Usage: tfgpu rule" in errors("rule", *arguments)


class TestBaseline:
    def test_only_what_is_new_fails(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "b.py", GROWTH)
        result = tfgpu("audit", "-v", "--write-baseline", "known.json")
        assert (result.exit_code, result.stdout.count("TFG")) == (0, 3)
        assert len(json.loads((tmp_path / "known.json").read_text())["findings"]) == 3
        assert tfgpu("audit", "--baseline", "known.json").exit_code == 0
        write(tmp_path / "a.py", "\n\n" + QUERY + "\nname = tf.test.gpu_device_name()\n")
        assert told("--baseline", "known.json") == [("a.py", "TFG702")]

    def test_the_configuration_names_it(self, tmp_path: Path) -> None:
        write(tmp_path / "sub" / "tfgpu.toml", "baseline = 'known.json'\n")
        write(tmp_path / "sub" / "a.py", QUERY)
        write(tmp_path / "b.py", QUERY)
        assert "known.json: no such file; `--write-baseline` makes one" in errors("audit")
        assert tfgpu("audit", "sub", "--write-baseline", "sub/known.json").exit_code == 0
        assert told() == [("b.py", "TFG701")]
        write(tmp_path / "known.json", '{"version": 1, "findings": []}')
        assert len(told("--baseline", "known.json")) == 2

    def test_stale_entries_are_told_and_do_not_fail(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        tfgpu("audit", "--write-baseline", "known.json")
        write(tmp_path / "a.py", CLEAN)
        result = tfgpu("audit", "--baseline", "known.json")
        assert result.exit_code == 0
        assert (
            "stale in known.json: a.py: TFG701 is-gpu-available: return tf.test.is_gpu_available()"
            in result.stderr
        )
        assert "stale" not in tfgpu("audit", "--baseline", "known.json", "--select", "TFG1").stderr

    def test_files_that_failed_are_not_in_it(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", BROKEN)
        assert tfgpu("audit", "--write-baseline", "known.json").exit_code == 2
        assert json.loads((tmp_path / "known.json").read_text())["findings"] == []
        assert tfgpu("audit", "--baseline", "known.json").exit_code == 2

    def test_files_that_were_not_read_keep_their_entries(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "b.py", QUERY)
        tfgpu("audit", "--write-baseline", "known.json")
        first = (tmp_path / "known.json").read_text()
        tfgpu("audit", "--write-baseline", "known.json", "a.py")
        assert (tmp_path / "known.json").read_text() == first
        (tmp_path / "b.py").unlink()
        tfgpu("audit", "--write-baseline", "known.json", "a.py")
        assert "b.py" not in (tmp_path / "known.json").read_text()

    @pytest.mark.parametrize(
        "arguments", [["--baseline", "x.json"], ["--diff-base", "x"], ["--add-ignores"]]
    )
    def test_it_is_written_by_itself(self, arguments: list[str]) -> None:
        told = "--write-baseline takes all findings: no --baseline"
        assert told in errors("audit", "--write-baseline", "known.json", *arguments)

    def test_one_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        assert "nowhere/known.json: No such file" in errors(
            "audit", "--write-baseline", "nowhere/known.json"
        )
        assert "folder: " in errors("audit", "--write-baseline", "folder")


@needs_git
class TestDiffBase:
    @pytest.fixture(autouse=True)
    def _repository(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q", "-b", "base")
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "b.py", QUERY)
        commit(tmp_path)

    def test_only_lines_that_changed(self, tmp_path: Path) -> None:
        assert told("--diff-base", "base") == []
        write(tmp_path / "a.py", QUERY + "\nname = tf.test.gpu_device_name()\n")
        write(tmp_path / "new.py", QUERY)
        assert told("--diff-base", "base") == [("a.py", "TFG702"), ("new.py", "TFG701")]
        commit(tmp_path)
        assert told("--diff-base", "base") == []
        assert told("--diff-base", "HEAD~1") == [("a.py", "TFG702"), ("new.py", "TFG701")]

    def test_a_statement_counts_where_one_of_its_lines_changed(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY.replace("available()", "available(\n    )"))
        commit(tmp_path)
        write(tmp_path / "a.py", QUERY.replace("available()", "available(\n        )"))
        assert told("--diff-base", "base") == [("a.py", "TFG701")]

    def test_together_with_a_baseline(self, tmp_path: Path) -> None:
        name = "name = tf.test.gpu_device_name()\n"
        write(tmp_path / "a.py", QUERY + name)
        tfgpu("audit", "--write-baseline", "known.json")
        write(tmp_path / "b.py", QUERY + name)
        assert told("--diff-base", "base", "--baseline", "known.json") == [("b.py", "TFG702")]

    def test_a_file_outside(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        outside = write(tmp_path_factory.mktemp("outside") / "a.py", QUERY)
        message = errors("audit", str(outside), "--diff-base", "base")
        assert "--diff-base: fatal: not a git repository" in message

    def test_the_repository_is_that_of_the_paths(
        self,
        tmp_path: Path,
        tmp_path_factory: pytest.TempPathFactory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        write(tmp_path / "a.py", QUERY + "more = tf.test.gpu_device_name()\n")
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        found = document(str(tmp_path), "--diff-base", "base")["findings"]
        assert [item["line"] for item in found] == [5]

    def test_a_notebook_counts_as_a_whole(self, tmp_path: Path) -> None:
        def told_in(name: str) -> list[Finding]:
            found = Finding("TFG701", "is-gpu-available", 1, 1, "m", "t", "none", cell=2)
            narrow = Narrowing(Job(Options(), False), (), None, None, "base", False, None)
            (result,) = narrow.narrowed(lambda: [Result(str(tmp_path / name), findings=[found])])
            return result.findings

        assert told_in("a.py") == []
        write(tmp_path / "a.py", QUERY + "# more\n")
        assert len(told_in("a.py")) == 1

    def test_no_commit_and_no_repository(
        self, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told = errors("audit", "--diff-base", "nowhere")
        assert "Error: --diff-base: 'nowhere' is no commit in the repository of " in told
        monkeypatch.chdir(tmp_path_factory.mktemp("none"))
        assert "--diff-base: fatal: not a git repository" in errors("audit", "--diff-base", "base")


@needs_git
class TestUncommitted:
    @pytest.fixture(autouse=True)
    def _repository(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q")
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", GROWTH)
        write(tmp_path / "clean.py", CLEAN)
        commit(tmp_path)

    def test_nothing_is_written_where_git_has_no_way_back(self, tmp_path: Path) -> None:
        write(tmp_path / "b.py", GROWTH + "# more\n")
        message = errors("migrate", "--write", "a.py", "b.py")
        assert message == (
            "Error: not committed, and nothing was written: b.py; commit, or go on with --force\n"
        )
        assert (tmp_path / "a.py").read_text() == GROWTH
        assert tfgpu("migrate", "--write", "a.py").exit_code == 0
        assert tfgpu("migrate", "--write", "--force").exit_code == 0
        assert "ConfigProto" not in (tmp_path / "b.py").read_text()

    def test_changes_in_files_that_stay_do_not_matter(self, tmp_path: Path) -> None:
        write(tmp_path / "clean.py", CLEAN + "# more\n")
        assert tfgpu("migrate", "--write").exit_code == 0
        assert "ConfigProto" not in (tmp_path / "a.py").read_text()

    def test_showing_a_diff_needs_no_commit(self, tmp_path: Path) -> None:
        write(tmp_path / "b.py", GROWTH + "# more\n")
        assert tfgpu("migrate").exit_code == 0
        data = GROWTH.encode()
        assert tfgpu("migrate", "--write", "-", stdin=data).exit_code == 0

    def test_a_repository_that_cannot_be_asked(self, tmp_path: Path) -> None:
        shutil.rmtree(tmp_path / ".git")
        write(tmp_path / ".git", "gitdir: nowhere\n")
        message = errors("migrate", "--write")
        assert "not a git repository" in message
        assert message.endswith("; --force writes without git\n")

    def test_what_is_staged_is_written(self, tmp_path: Path) -> None:
        write(tmp_path / "b.py", GROWTH + "# more\n")
        write(tmp_path / "new.py", GROWTH)
        message = errors("migrate", "--write", "--staged")
        assert "b.py: it has changes that are not staged; not changed: add it" in message
        assert "new.py: left as it was: git does not know it" in message
        assert "ConfigProto" not in (tmp_path / "a.py").read_text()
        assert (tmp_path / "b.py").read_text() == GROWTH + "# more\n"
        git(tmp_path, "add", "b.py")
        assert tfgpu("migrate", "--write", "--staged").exit_code == 0
        assert "ConfigProto" not in (tmp_path / "b.py").read_text()
        assert (tmp_path / "new.py").read_text() == GROWTH
        assert "exclude each other" in errors("migrate", "--write", "--staged", "--force")
        assert "--staged needs --write" in errors("migrate", "--staged")

    def test_force_is_for_writing(self) -> None:
        assert "--force needs --write" in errors("migrate", "--force")


class TestAddIgnores:
    def test_every_finding_gets_a_comment_and_the_next_audit_is_silent(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "a.py", QUERY + "\n" + GROWTH)
        result = tfgpu("audit", "--add-ignores")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "1 file(s) changed" in result.stderr
        text = (tmp_path / "a.py").read_text()
        assert text.count("  # tfgpu: ignore[is-gpu-available] TODO: say why\n") == 1
        assert tfgpu("audit").exit_code == 0
        assert tfgpu("migrate", "--check", "--unsafe-fixes").exit_code == 0
        assert "0 file(s) changed" in tfgpu("audit", "--add-ignores").stderr

    def test_the_reason_is_the_users(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        tfgpu("audit", "--add-ignores", "--reason", "see issue 7")
        assert "# tfgpu: ignore[is-gpu-available] see issue 7\n" in (tmp_path / "a.py").read_text()
        assert "--reason is one line" in errors("audit", "--add-ignores", "--reason", "a\nb")

    def test_only_what_is_selected(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        write(tmp_path / "b.py", GROWTH)
        tfgpu("audit", "--add-ignores", "--select", "TFG7")
        assert (tmp_path / "b.py").read_text() == GROWTH
        assert "tfgpu: ignore" in (tmp_path / "a.py").read_text()

    def test_programs_of_several_files(self, tmp_path: Path) -> None:
        write(tmp_path / "one.py", SHARED.replace("import", "import two\nimport", 1))
        write(tmp_path / "two.py", GROWTH)
        assert tfgpu("audit", "--add-ignores").exit_code == 0
        assert tfgpu("audit").exit_code == 0

    def test_what_cannot_be_written_or_silenced_is_left(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY + "x = 1  # tfgpu: ignore\n")
        write(tmp_path / "b.py", BROKEN)
        result = tfgpu("audit", "--add-ignores")
        assert result.exit_code == 3
        assert told() == [("a.py", "TFX001")]

    def test_a_file_that_cannot_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "a.py", QUERY)
        monkeypatch.setattr("os.access", lambda path, *_: not str(path).endswith("a.py"))
        message = errors("audit", "--add-ignores", status=3)
        assert "a.py: read-only; not changed" in message
        assert "0 file(s) changed" in message
        assert (tmp_path / "a.py").read_text() == QUERY

    def test_notebooks_get_them_in_their_cells(self, tmp_path: Path) -> None:
        source = ["import tensorflow as tf\n", "x = tf.test.is_gpu_available()"]
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 3,
                "source": source}  # fmt: skip
        text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}, indent=1)
        path = write(tmp_path / "a.ipynb", text)
        assert tfgpu("audit", "--add-ignores").exit_code == 0
        comment = "  # tfgpu: ignore[is-gpu-available] TODO: say why"
        assert path.read_text() == text.replace("available()", f"available(){comment}")
        assert tfgpu("audit").exit_code == 0

    def test_standard_input_is_no_file(self) -> None:
        assert "--add-ignores writes files" in errors("audit", "-", "--add-ignores")

    @settings(
        max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(texts=st.lists(st.sampled_from((QUERY, GROWTH, SHARED, CLEAN, WRAPPED)), max_size=4),
           imports=st.lists(st.integers(0, 3), max_size=4))  # fmt: skip
    def test_programs_are_silent_afterwards(
        self, tmp_path_factory: pytest.TempPathFactory, texts: list[str], imports: list[int]
    ) -> None:
        folder = tmp_path_factory.mktemp("program")
        for number, text in enumerate(texts):
            head = f"import m{imports[number]}\n" if number < len(imports) else ""
            write(folder / f"m{number}.py", head + text)
        tfgpu("audit", "--add-ignores", str(folder))
        result = tfgpu("audit", str(folder))
        assert (result.exit_code, result.stdout) == (0, "")
