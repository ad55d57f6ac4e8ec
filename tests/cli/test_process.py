"""The command as a process of its own: what it loads, where it writes, terminals and pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.tools import (
    BROKEN,
    CLEAN,
    GROWTH,
    GROWTH_AFTER,
    SHARED,
    command,
    environment,
    started,
    write,
)

# Prints on standard error, at the end, what of this the process has loaded.
WATCH = """
import atexit, sys
def loaded():
    heavy = {"libcst", "rich", "tensorflow", "concurrent.futures.process"}
    print("loaded:", *sorted(heavy & set(sys.modules)), file=sys.stderr)
atexit.register(loaded)
"""
# Says on standard error which files are opened.
WATCH_READS = """
import os, sys
def watch(event, arguments):
    if event == "open":
        print("opened", os.path.basename(str(arguments[0])), file=sys.stderr)
sys.addaudithook(watch)
"""
MAIN = "from tfgpu.cli import main; main(prog_name='tfgpu')"


def loaded(code: str, *arguments: str, folder: Path) -> set[str]:
    """Return which heavy modules a process has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", WATCH + code, *arguments],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    last = done.stderr.splitlines()[-1]
    assert last.startswith("loaded:"), done.stderr
    return set(last.split()[1:])


class TestLoaded:
    def test_import_loads_nothing_heavy(self, tmp_path: Path) -> None:
        assert loaded("import migrate", folder=tmp_path) == set()

    @pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["rules"], ["audit", "-h"]])
    def test_talking_loads_nothing_heavy(self, tmp_path: Path, arguments: list[str]) -> None:
        assert loaded(MAIN, *arguments, folder=tmp_path) == set()

    @pytest.mark.parametrize("text", [CLEAN, GROWTH])
    def test_an_audit_of_one_file_loads_nothing_heavy(self, tmp_path: Path, text: str) -> None:
        write(tmp_path / "a.py", text)
        assert loaded(MAIN, "audit", "a.py", folder=tmp_path) == set()

    def test_a_check_that_finds_nothing_loads_nothing_heavy(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH_AFTER)
        assert loaded(MAIN, "migrate", "--check", "a.py", folder=tmp_path) == set()

    def test_a_rewrite_loads_libcst_only(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        assert loaded(MAIN, "migrate", "a.py", folder=tmp_path) == {"libcst"}

    def test_the_code_that_is_read_is_never_imported(self, tmp_path: Path) -> None:
        marker = "from pathlib import Path\nPath('marker').write_text('imported')\n"
        write(tmp_path / "shared.py", marker + "c = 1\n")
        write(tmp_path / "use.py", marker + "import shared\nprint(shared.c)\n" + GROWTH)
        write(tmp_path / "tensorflow.py", marker)
        for arguments in (["audit"], ["migrate"], ["migrate", "--write"]):
            assert started(*arguments, folder=tmp_path).returncode in {0, 1}
        assert "set_memory_growth" in (tmp_path / "use.py").read_text()
        assert not (tmp_path / "marker").exists()

    def test_a_module_of_the_current_folder_is_not_taken_for_one_of_ours(
        self, tmp_path: Path
    ) -> None:
        for name in ("libcst", "rich", "tomllib"):
            write(tmp_path / f"{name}.py", "raise SystemExit('the wrong module')\n")
        write(tmp_path / ".gitignore", "b.py\n")
        write(tmp_path / "a.py", GROWTH)
        script = write(tmp_path.parent / "bin" / "tfgpu", f"import sys\n{MAIN}\n")
        done = subprocess.run(
            [sys.executable, str(script), "migrate", "--write"],
            cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "a.py").read_text() == GROWTH_AFTER


NESTED = {
    "calls": "x = a" + ".b()" * 900,
    "sum": "x = " + " + ".join(["'a'"] * 960),
    "elif": "if x:\n    pass\n" + "elif y:\n    pass\n" * 960,
    "and": "x = " + " and ".join(["a"] * 20_000),
    "brackets": "x = " + "[" * 100_000 + "]" * 100_000,
    "strings": "x = (" + " ".join(["'a'"] * 100_000) + ")",
}


class TestProcess:
    def test_audit(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        done = started("audit", "a.py", folder=tmp_path)
        assert done.returncode == 1
        line = b"a.py:4: config converts: allow-growth (line 5), session-config (line 6)"
        assert done.stdout.splitlines() == [line]
        assert done.stderr.startswith(b"Scanned 1 file: ")

    def test_exit_codes(self, tmp_path: Path) -> None:
        write(tmp_path / "clean.py", CLEAN)
        write(tmp_path / "bad.py", BROKEN)
        write(tmp_path / "growth.py", GROWTH)
        codes = {
            ("audit", "clean.py"): 0,
            ("audit", "growth.py"): 1,
            ("audit", "bad.py"): 2,
            ("audit", "--select", "nonsense"): 2,
            ("migrate", "growth.py"): 0,
            ("migrate", "--check", "growth.py"): 1,
            ("migrate", "bad.py"): 2,
            ("rule", "nonsense"): 2,
        }
        found = {key: started(*key, folder=tmp_path).returncode for key in codes}
        assert found == codes

    def test_standard_input_to_standard_output_byte_for_byte(self, tmp_path: Path) -> None:
        before = b"# coding: latin-1\r\n# \xe9\r\n" + GROWTH.replace("\n", "\r\n").encode()
        after = b"# coding: latin-1\r\n# \xe9\r\n" + GROWTH_AFTER.replace("\n", "\r\n").encode()
        done = started("migrate", "--write", "-", folder=tmp_path, stdin=before)
        assert (done.returncode, done.stdout) == (0, after)

    @pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
    def test_what_the_terminal_cannot_show_does_no_harm(
        self, tmp_path: Path, encoding: str
    ) -> None:
        write(tmp_path / "é☃.py", GROWTH + "# é☃\n")
        write(tmp_path / "é☃2.py", BROKEN)
        shown = {
            ("audit",): b"allow-growth (line 5)",
            ("audit", "-v"): b"allow_growth",
            ("migrate",): b"allow_growth",
            ("audit", "--format", "json"): b"allow_growth",
        }
        for arguments, words in shown.items():
            done = started(*arguments, folder=tmp_path, PYTHONIOENCODING=encoding)
            assert done.returncode == (2 if arguments == ("migrate",) else 3)
            assert b"Traceback" not in done.stderr
            assert words in done.stdout
            assert b"not valid Python 3" in done.stderr

    @pytest.mark.parametrize(
        "arguments", [["audit"], ["audit", "--format", "json"], ["migrate"], ["rules"]]
    )
    def test_a_reader_that_leaves_early(self, tmp_path: Path, arguments: list[str]) -> None:
        for number in range(400):
            write(tmp_path / f"a{number}.py", GROWTH)
        with subprocess.Popen(
            command(*arguments, "--jobs=1") if arguments != ["rules"] else command("rules"),
            cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(1)
            process.stdout.close()
            talk = process.stderr.read()
        assert b"Traceback" not in talk
        assert b"Exception ignored" not in talk

    def test_the_json_document_is_whole_in_a_pipe(self, tmp_path: Path) -> None:
        for number in range(40):
            write(tmp_path / f"a{number}.py", GROWTH)
        done = started("audit", "--format", "json", "--jobs", "2", folder=tmp_path)
        assert len(json.loads(done.stdout)["findings"]) == 80

    def test_standard_input_that_is_closed(self, tmp_path: Path) -> None:
        done = subprocess.run(
            ["sh", "-c", '"$@" <&-', "sh", *command("audit", "-")],
            cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert b"Traceback" not in done.stderr
        assert done.returncode == 2

    @pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
    def test_characters_that_standard_output_does_not_have(
        self, tmp_path: Path, encoding: str
    ) -> None:
        # On Windows a pipe has such an encoding by default. With ascii click helps out.
        write(tmp_path / "a.py", GROWTH + "# ☃\n")
        done = started("migrate", "a.py", folder=tmp_path, PYTHONIOENCODING=encoding)
        assert b"Traceback" not in done.stderr
        assert (done.returncode, b"set_memory_growth" in done.stdout) == (0, True)

    @pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
    @pytest.mark.parametrize("arguments", [["audit"], ["migrate", "--write"]])
    def test_a_name_that_is_not_utf8(self, tmp_path: Path, arguments: list[str]) -> None:
        write(tmp_path / os.fsdecode(b"caf\xe9.py"), SHARED)
        write(tmp_path / "other.py", CLEAN)
        done = started(*arguments, folder=tmp_path)
        assert b"Traceback" not in done.stderr
        assert done.returncode == (arguments == ["audit"])

    @pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
    def test_what_is_nested_too_deeply_for_libcst_is_one_line(
        self, tmp_path: Path, nested: str
    ) -> None:
        # One such file ends the whole run with a traceback.
        write(tmp_path / "a.py", f"{GROWTH}\n{nested}\n")
        write(tmp_path / "b.py", GROWTH)
        done = started("migrate", folder=tmp_path)
        assert b"Traceback" not in done.stderr
        assert b"b.py" in done.stdout
        assert done.returncode in {0, 2}

    def test_warnings_about_the_code_of_other_files_are_not_ours(self, tmp_path: Path) -> None:
        write(tmp_path / "conf.py", SHARED)
        write(tmp_path / "use.py", 'import conf\nx = "\\d"\n')
        done = started("audit", folder=tmp_path, PYTHONWARNINGS="always")
        assert b"invalid escape" not in done.stderr

    def test_each_file_is_read_a_few_times_at_most(self, tmp_path: Path) -> None:
        # Each of them may be imported by each of the others.
        for number in range(40):
            write(tmp_path / f"a{number}.py", SHARED + f"import a{number + 1}\n")
        done = subprocess.run(
            [sys.executable, "-c", WATCH_READS + MAIN, "audit", "--jobs", "1"],
            cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.stdout.count(b".py:") >= 40
        assert 0 < done.stderr.count(b"opened a7.py") <= 3


pty = pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of POSIX")


@pty
class TestTerminal:
    def test_colours_on_a_terminal(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        shown = on_terminal("audit", "a.py", folder=tmp_path)
        assert b"\x1b[1ma.py:4:\x1b[0m \x1b[32mconfig\x1b[0m converts: " in shown
        # On a line that the display of progress was taken from.
        assert b"\x1b[2K\x1b[1ma.py:4:" in shown
        assert b"\x1b[32mTFG101\x1b[0m" in on_terminal("audit", "-v", "a.py", folder=tmp_path)
        assert b"\x1b[31m-" in on_terminal("migrate", "a.py", folder=tmp_path)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["audit"], b"allow-growth (line 5)"),
            (["audit", "-v"], b"allow_growth"),
            (["migrate"], b"allow_growth"),
        ],
    )
    def test_none_with_no_color(self, tmp_path: Path, arguments: list[str], words: bytes) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", BROKEN)
        shown = on_terminal(*arguments, "a.py", "b.py", folder=tmp_path, NO_COLOR="1")
        assert words in shown
        assert b"\x1b[3" not in shown
        assert b"\x1b[1m" not in shown

    def test_results_go_to_standard_output_when_only_the_talk_is_on_a_terminal(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        terminal, inner = os.openpty()
        try:
            done = subprocess.run(
                command("audit", "a.py"), cwd=tmp_path, env=environment(),
                stdout=subprocess.PIPE, stderr=inner, check=False, timeout=60,
            )  # fmt: skip
            talk = os.read(terminal, 100_000)
        finally:
            os.close(inner)
            os.close(terminal)
        assert done.stdout == started("audit", "a.py", folder=tmp_path).stdout
        assert b"allow-growth" in done.stdout
        assert b"allow-growth" not in talk


def on_terminal(*arguments: str, folder: Path, **variables: str) -> bytes:
    """Return what a run shows on a terminal."""
    terminal, inner = os.openpty()
    with subprocess.Popen(
        command(*arguments), cwd=folder, env=environment(TERM="xterm", **variables),
        stdin=inner, stdout=inner, stderr=inner,
    ):  # fmt: skip
        os.close(inner)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # what Linux says at the end
                piece = b""
            if not piece:
                break
            shown += piece
    os.close(terminal)
    return shown
