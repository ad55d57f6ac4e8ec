"""`tfgpu migrate`: the diff, the files that are written, --check, and standard input."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from tests.cli.tools import (
    BROKEN,
    CLEAN,
    GROWTH,
    GROWTH_AFTER,
    KEPT,
    QUERY,
    SHARED,
    tfgpu,
    write,
)
from tfgpu.files.pyfile import SourceError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


GROWTH_DIFF = """\
--- a/a.py
+++ b/a.py
@@ -1,6 +1,7 @@
-import tensorflow as tf
+import tensorflow.compat.v1 as tf
+tf.disable_v2_behavior()
 
 def train():
-    config = tf.ConfigProto()
-    config.gpu_options.allow_growth = True
-    return tf.Session(config=config)
+    for gpu in tf.config.list_physical_devices("GPU"):
+        tf.config.experimental.set_memory_growth(gpu, True)
+    return tf.Session()
"""


class TestDiff:
    def test_the_diff_on_standard_output_and_the_talk_on_standard_error(
        self, tmp_path: Path
    ) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "a.py")
        assert (result.exit_code, result.stdout) == (0, GROWTH_DIFF)
        assert "1 file(s) would change" in result.stderr.splitlines()
        assert path.read_text() == GROWTH

    @pytest.mark.parametrize("text", [CLEAN, KEPT, QUERY, GROWTH_AFTER, ""])
    def test_no_diff_where_nothing_changes(self, tmp_path: Path, text: str) -> None:
        write(tmp_path / "a.py", text)
        result = tfgpu("migrate", "a.py")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "0 file(s) would change" in result.stderr.splitlines()

    def test_what_stays_for_hands_is_said_on_standard_error(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", KEPT)
        result = tfgpu("migrate", "a.py")
        assert "a.py:6:5: TFG521 graph-options-v1-only [by hand]: config kept: " in result.stderr

    def test_switching_imports_is_not_advised_to_who_asked_for_it(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", KEPT)
        assert "--imports a.py switches" in tfgpu("migrate", "a.py").stderr
        assert "switches the imports" not in tfgpu("migrate", "--imports", "a.py").stderr

    @pytest.mark.parametrize("command", ["audit", "migrate"])
    def test_a_file_that_cannot_be_rewritten_keeps_its_program(
        self, tmp_path: Path, command: str
    ) -> None:
        write(tmp_path / "a.py", f"import b\n\x0c{SHARED}")
        write(tmp_path / "b.py", SHARED)
        result = tfgpu(command, ".")
        assert "error: ./a.py:2: cannot be rewritten, and was not changed: a form feed" in (
            result.stderr
        )
        assert "0 of 2 configs convert" in result.stderr

    def test_a_file_that_fails_and_one_that_changes(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", BROKEN)
        result = tfgpu("migrate", "b.py", "a.py")
        assert (result.exit_code, result.stdout) == (2, GROWTH_DIFF)
        assert "error: b.py:2: not valid Python 3" in result.stderr

    def test_an_unsafe_fix_is_told_of_beside_a_change(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH + QUERY.split("\n", 1)[1])
        result = tfgpu("migrate", "a.py")
        assert "+tf.disable_v2_behavior()" in result.stdout
        assert "TFG701 is-gpu-available [unsafe fix]" in result.stderr


class TestWrite:
    def test_the_files_that_change_are_written_and_no_others(self, tmp_path: Path) -> None:
        texts = {"a.py": GROWTH, "b.py": CLEAN, "c.py": KEPT, "d.py": BROKEN, "e/f.py": GROWTH}
        for name, text in texts.items():
            os.utime(write(tmp_path / name, text), ns=(1, 1))
        result = tfgpu("migrate", "--write")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "2 file(s) written" in result.stderr.splitlines()
        for name, text in texts.items():
            path = tmp_path / name
            changed = text == GROWTH
            assert path.read_text() == (GROWTH_AFTER if changed else text)
            assert (path.stat().st_mtime_ns != 1) == changed
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "a.py",
            "b.py",
            "c.py",
            "d.py",
            "e",
        ]

    def test_a_second_run_changes_nothing(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        tfgpu("migrate", "--write")
        os.utime(path, ns=(1, 1))
        result = tfgpu("migrate", "--write")
        assert "0 file(s) written" in result.stderr.splitlines()
        assert path.read_text() == GROWTH_AFTER
        assert path.stat().st_mtime_ns == 1

    def test_names_that_tensorflow_1_has_stay_where_a_program_may_go_on_with_it(
        self, tmp_path: Path
    ) -> None:
        used = "import tensorflow as tf\nprint(tf.config.experimental.list_physical_devices())\n"
        path = write(tmp_path / "lib.py", used)
        write(
            tmp_path / "main.py",
            "import tensorflow as tf\nimport lib\n\n"
            "@tf.function\ndef eager():\n    return 1\n\nwith tf.Session() as sess:\n    pass\n",
        )
        assert tfgpu("migrate", "--write", ".").exit_code == 0
        assert path.read_text() == used

    def test_many_files_with_two_processes(self, tmp_path: Path) -> None:
        for number in range(30):
            write(tmp_path / f"{number}.py", GROWTH)
        result = tfgpu("migrate", "--write", "--jobs", "2")
        assert result.exit_code == 0
        assert "30 file(s) written" in result.stderr.splitlines()
        assert {path.read_text() for path in tmp_path.iterdir()} == {GROWTH_AFTER}

    def test_a_file_in_another_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write(tmp_path / "x" / "a.py", GROWTH)
        other = tmp_path / "other"
        other.mkdir()
        monkeypatch.chdir(other)
        assert tfgpu("migrate", "--write", "../x").exit_code == 0
        assert path.read_text() == GROWTH_AFTER

    @pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
    def test_mode_encoding_and_line_endings_stay(self, tmp_path: Path) -> None:
        head = "#!/usr/bin/env python\r\n# -*- coding: latin-1 -*-\r\n# caf\xe9\r\n"
        path = write(tmp_path / "a.py", (head + GROWTH.replace("\n", "\r\n")).encode("latin-1"))
        path.chmod(0o755)
        assert tfgpu("migrate", "--write", "a.py").exit_code == 0
        assert path.read_bytes() == (head + GROWTH_AFTER.replace("\n", "\r\n")).encode("latin-1")
        assert path.stat().st_mode & 0o777 == 0o755

    @pytest.mark.parametrize(
        ("coding", "line"),
        [("unicode_escape", b"x = 1"), ("iso2022_jp", b"# \x1b$B$3\x1b(B\x1b$B$3\x1b(B")],
    )
    def test_a_coding_that_does_not_give_the_same_bytes_back_is_refused(
        self, tmp_path: Path, coding: str, line: bytes
    ) -> None:
        # unicode_escape writes the whole file as one line that Python takes for a comment.
        head = f"# coding: {coding}\n".encode() + line + b"\n"
        path = write(tmp_path / "a.py", head + GROWTH.encode())
        result = tfgpu("migrate", "--write", "a.py")
        if result.exit_code == 2:
            assert path.read_bytes() == head + GROWTH.encode()
        else:
            assert path.read_bytes() == head + GROWTH_AFTER.encode()

    def test_a_file_that_could_not_be_written_is_not_counted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise SourceError("disk full")

        monkeypatch.setattr("tfgpu.saving.write", fail)
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "--write", "a.py")
        assert result.exit_code == 2
        assert result.stderr.startswith("error: a.py: disk full\n")
        assert "0 file(s) written" in result.stderr.splitlines()

    def test_the_longest_name_can_be_written(self, tmp_path: Path) -> None:
        path = write(tmp_path / ("x" * 252 + ".py"), GROWTH)
        assert tfgpu("migrate", "--write").exit_code == 0
        assert path.read_text() == GROWTH_AFTER

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files away")
    def test_the_owner_of_a_file_stays(self, tmp_path: Path) -> None:
        # In a container, as root, on a mounted checkout: the files of the user become root's.
        path = write(tmp_path / "a.py", GROWTH)
        os.chown(path, 1234, 1235)
        assert tfgpu("migrate", "--write", "a.py").exit_code == 0
        assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)

    def test_a_file_under_two_spellings_is_read_once(self, tmp_path: Path) -> None:
        path = write(tmp_path / "d" / "a.py", GROWTH)
        result = tfgpu("migrate", "--write", "d", "./d", "d/a.py", str(path))
        assert (result.exit_code, path.read_text()) == (0, GROWTH_AFTER)
        assert "Scanned 1 file: " in result.stderr


class TestWholePrograms:
    @pytest.fixture(autouse=True)
    def _programs(self, tmp_path: Path) -> None:
        write(tmp_path / "helper.py", GROWTH)
        write(tmp_path / "train.py", "import helper\n" + GROWTH)
        write(tmp_path / "other.py", GROWTH)

    @pytest.mark.parametrize("name", ["helper.py", "train.py"])
    def test_a_file_that_cannot_be_written_keeps_its_program(
        self, tmp_path: Path, name: str
    ) -> None:
        (tmp_path / name).chmod(0o444)
        self._is_left(tmp_path, name, "read-only; not changed")

    def test_a_file_with_hard_links_keeps_its_program(self, tmp_path: Path) -> None:
        (tmp_path / "again.txt").hardlink_to(tmp_path / "helper.py")
        words = "has hard links, which would keep the old text; not changed"
        self._is_left(tmp_path, "helper.py", words)

    def test_a_read_only_folder_keeps_its_programs(self, tmp_path: Path) -> None:
        write(tmp_path / "package" / "__init__.py", "")
        write(tmp_path / "package" / "part.py", GROWTH)
        write(tmp_path / "helper.py", "import package.part\n" + GROWTH)
        (tmp_path / "package").chmod(0o555)
        try:
            self._is_left(tmp_path, "package/part.py", "in a read-only folder; not changed")
        finally:
            (tmp_path / "package").chmod(0o755)

    @pytest.mark.parametrize("option", [(), ("--check",), ("--write",)])
    def test_a_file_that_cannot_change_keeps_its_program_in_every_mode(
        self, tmp_path: Path, option: tuple[str, ...]
    ) -> None:
        within = "\ndef one():\n    print tf.Session(config=tf.ConfigProto()).run(1)\n"
        write(tmp_path / "helper.py", "import tensorflow as tf\n" + within)
        write(tmp_path / "main.py", "import helper\n" + GROWTH)
        write(tmp_path / "other.py", GROWTH)
        done = tfgpu("migrate", *option)
        assert done.exit_code == (3 if option == ("--check",) else 2)
        assert (
            "error: ./main.py: its program stays as it is, because of ./helper.py; not changed\n"
            in done.stderr
        )
        assert "main.py" not in done.stdout
        assert (tmp_path / "main.py").read_text() == "import helper\n" + GROWTH

    def _is_left(self, folder: Path, name: str, words: str) -> None:
        before = {path: path.read_text() for path in folder.rglob("*.py")}
        done = tfgpu("migrate", "--write")
        assert done.exit_code == 2
        assert f"error: ./{name}: {words}\n" in done.stderr
        others = {path.relative_to(folder).as_posix() for path in before if path.read_text()}
        for other in others - {name, "other.py", "package/__init__.py"}:
            told = (
                f"error: ./{other}: its program stays as it is, because of ./{name}; not changed\n"
            )
            assert told in done.stderr
        assert (folder / "other.py").read_text() == GROWTH_AFTER
        changed = {path.name for path, text in before.items() if path.read_text() != text}
        assert changed == {"other.py"}


class TestCheck:
    @pytest.mark.parametrize(
        ("text", "code"), [(GROWTH, 1), (GROWTH_AFTER, 0), (CLEAN, 0), (KEPT, 0), (QUERY, 0)]
    )
    def test_it_says_nothing_and_exits_with_1_if_a_file_would_change(
        self, tmp_path: Path, text: str, code: int
    ) -> None:
        path = write(tmp_path / "a.py", text)
        result = tfgpu("migrate", "--check", "a.py")
        assert (result.exit_code, result.output) == (code, "")
        assert path.read_text() == text

    def test_a_failure_is_said_and_counts_more(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", BROKEN)
        result = tfgpu("migrate", "--check")
        assert (result.exit_code, result.stdout) == (3, "")
        (line,) = result.stderr.splitlines()
        assert line.endswith("not valid Python 3: invalid syntax")

    def test_an_unsafe_fix_counts_when_it_is_asked_for(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", QUERY)
        assert tfgpu("migrate", "--check").exit_code == 0
        assert tfgpu("migrate", "--check", "--unsafe-fixes").exit_code == 1

    def test_it_excludes_write(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "--check", "--write", "a.py")
        assert result.exit_code == 2
        assert "--write and --check exclude each other" in result.stderr
        assert path.read_text() == GROWTH


class TestOptions:
    def test_unsafe_fixes_are_made_only_when_asked_for(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", QUERY)
        result = tfgpu("migrate", "--write")
        assert path.read_text() == QUERY
        assert "TFG701 is-gpu-available [unsafe fix]: " in result.stderr
        assert tfgpu("migrate", "--write", "--unsafe-fixes").exit_code == 0
        after = QUERY.replace(
            "tf.test.is_gpu_available()", 'bool(tf.config.list_physical_devices("GPU"))'
        )
        assert path.read_text() == after

    def test_imports_can_be_kept(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        assert tfgpu("migrate", "--write", "--keep-imports").exit_code == 0
        assert path.read_text().startswith("import tensorflow as tf\n\ndef train():\n    for gpu")
        assert "disable_v2_behavior" not in path.read_text()

    @pytest.mark.parametrize(
        ("version", "call"),
        [
            ("2.0", "tf.config.experimental.list_physical_devices("),
            ("2.1", "tf.config.list_physical_devices("),
            ("2.15", "tf.config.list_physical_devices("),
        ],
    )
    def test_the_lowest_version_chooses_the_spelling(
        self, tmp_path: Path, version: str, call: str
    ) -> None:
        write(tmp_path / "a.py", GROWTH)
        assert f"in {call}" in tfgpu("migrate", "--min-tf", version).stdout

    def test_a_bad_version_changes_nothing(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "--write", "--min-tf", "two")
        assert result.exit_code == 2
        assert "'two' is not a version of TensorFlow 2, such as 2.4" in result.stderr
        assert path.read_text() == GROWTH

    def test_a_rule_that_is_ignored_keeps_its_configs(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "--write", "--ignore", "allow-growth")
        assert "a.py:5:5: TFG925 not-selected: config kept: " in result.stderr
        assert "config.gpu_options.allow_growth = True" in path.read_text()

    def test_an_unknown_rule_changes_nothing(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        assert tfgpu("migrate", "--write", "--select", "nonsense").exit_code == 2
        assert path.read_text() == GROWTH


class TestStandardInput:
    def test_audit(self) -> None:
        result = tfgpu("audit", "-", stdin=GROWTH.encode())
        assert result.exit_code == 1
        assert "<stdin>:4: config converts: allow-growth (line 5)" in result.stdout

    def test_audit_of_nothing(self) -> None:
        result = tfgpu("audit", "-", stdin=b"")
        assert (result.exit_code, result.stdout) == (0, "")

    def test_diff(self) -> None:
        result = tfgpu("migrate", "-", stdin=GROWTH.encode())
        assert (result.exit_code, result.stdout) == (0, GROWTH_DIFF.replace("/a.py", "/<stdin>"))
        assert "Next: " not in result.stderr

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (GROWTH.encode(), GROWTH_AFTER.encode()),
            (GROWTH.rstrip().encode(), GROWTH_AFTER.rstrip().encode()),
            (GROWTH.replace("\n", "\r\n").encode(), GROWTH_AFTER.replace("\n", "\r\n").encode()),
            (codecs.BOM_UTF8 + GROWTH.encode(), codecs.BOM_UTF8 + GROWTH_AFTER.encode()),
            (b"# coding: latin-1\n# \xe9\n" + GROWTH.encode(),
             b"# coding: latin-1\n# \xe9\n" + GROWTH_AFTER.encode()),
        ],
        ids=["plain", "no newline at the end", "CRLF", "BOM", "latin-1"],
    )  # fmt: skip
    def test_write_prints_the_new_bytes(self, before: bytes, after: bytes) -> None:
        result = tfgpu("migrate", "--write", "-", stdin=before)
        assert (result.exit_code, result.stdout_bytes) == (0, after)
        assert "1 file(s) written" in result.stderr.splitlines()
        assert "tfgpu verify" not in result.stderr

    def test_check(self) -> None:
        assert tfgpu("migrate", "--check", "-", stdin=GROWTH.encode()).exit_code == 1
        assert tfgpu("migrate", "--check", "-", stdin=CLEAN.encode()).exit_code == 0

    def test_what_fails_prints_nothing(self) -> None:
        result = tfgpu("migrate", "--write", "-", stdin=BROKEN.encode())
        assert (result.exit_code, result.stdout_bytes) == (2, b"")
        assert result.stderr.startswith("error: <stdin>:2: not valid Python 3")

    def test_other_paths_beside_it(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("migrate", "-", "a.py", stdin=GROWTH.encode())
        assert (result.exit_code, result.stdout) == (2, "")
        assert "- (standard input) excludes other paths" in result.stderr

    def test_a_file_of_that_name(self, tmp_path: Path) -> None:
        path = write(tmp_path / "-", GROWTH)
        assert tfgpu("migrate", "--write", "./-").exit_code == 0
        assert path.read_text() == GROWTH_AFTER

    @pytest.mark.parametrize("text", [CLEAN, GROWTH_AFTER, "x = 1"])
    def test_write_to_standard_output_prints_a_text_that_does_not_change(self, text: str) -> None:
        # `tfgpu migrate --write - < a.py > b.py` leaves an empty file.
        result = tfgpu("migrate", "--write", "-", stdin=text.encode())
        assert (result.exit_code, result.stdout) == (0, text)

    def test_a_file_that_is_called_as_standard_input_is_shown(self, tmp_path: Path) -> None:
        path = write(tmp_path / "<stdin>", GROWTH)
        assert tfgpu("migrate", "--write", "<stdin>").stdout == ""
        assert path.read_text() == GROWTH_AFTER


class TestGpuMemory:
    """--gpu-memory: a fraction becomes a number, for GPUs of a size that the user says."""

    @pytest.mark.parametrize(
        ("size", "value", "limit"),
        [
            ("16GiB", "0.4", "6553"),
            ("T4", "0.4", "6043"),
            ("2000MiB", "1", "2000"),
            ("16GiB", "args.part", "int(args.part * 16384)"),
            ("16GiB", "args.part or 1", "int((args.part or 1) * 16384)"),
        ],
    )
    def test_the_limit(self, tmp_path: Path, size: str, value: str, limit: str) -> None:
        setting = f"tf.GPUOptions(per_process_gpu_memory_fraction={value})"
        text = f"tf.Session(config=tf.ConfigProto(gpu_options={setting}))"
        path = write(tmp_path / "a.py", f"import tensorflow as tf\nfrom b import args\n{text}\n")
        result = tfgpu("migrate", "--unsafe-fixes", "--gpu-memory", size, str(path))
        assert f"memory_limit={limit})]" in result.stdout
        assert "_gpu_memory_limit_mib" not in result.stdout
        assert "right only if every GPU has that total memory" in result.stderr

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ("--gpu-memory 16GiB", "needs --unsafe-fixes"),
            ("--unsafe-fixes --gpu-memory 16GiB,8GiB", "several sizes"),
            ("--unsafe-fixes --gpu-memory 16GB", "no size such as 16GiB"),
        ],
    )
    def test_what_is_no_size(self, options: str, said: str) -> None:
        result = tfgpu("migrate", *options.split())
        assert (result.exit_code, said in " ".join(result.stderr.split())) == (2, True)


TWO_ON_ASSUMPTIONS = """\
import sys

import plans
import tensorflow as tf


def train():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    tf.Session(config=config).run(tf.constant(1))


def evaluate():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    tf.Session(config=config).run(tf.constant(1))


for name in sys.argv[1:]:
    plans.read(name)
    {"train": train, "evaluate": evaluate}[name]()
"""


def test_what_would_convert_on_assumptions_counts_what_is_kept_for_others(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", TWO_ON_ASSUMPTIONS)
    assert "0 of 2 configs convert" in tfgpu("migrate", str(path)).stderr
    assert "2 configs more would convert on assumptions" in tfgpu("migrate", str(path)).stderr
    assert "2 of 2 configs convert" in tfgpu("migrate", "--unsafe-fixes", str(path)).stderr


@pytest.mark.parametrize(
    ("part", "options"),
    [("args.part", "--verify --program"), ("0.5", "--verify --unsafe-fixes --program")],
)
def test_what_a_run_checks_is_told_with_the_options_for_it(
    tmp_path: Path, part: str, options: str
) -> None:
    session = "tf.Session" if part == "args.part" else "tf.InteractiveSession"
    text = f"tf.GPUOptions(per_process_gpu_memory_fraction={part})"
    text = f"{session}(config=tf.ConfigProto(gpu_options={text}))"
    start = "import argparse\nimport tensorflow as tf\nargs = argparse.ArgumentParser()"
    path = write(tmp_path / "a.py", f"{start}.parse_args()\nsess = {text}\nsess.run(tf.zeros(1))\n")
    assert f"on assumptions: tfgpu migrate {options} SCRIPT" in tfgpu("migrate", str(path)).stderr


def test_standard_input_is_not_told_to_be_run() -> None:
    said = tfgpu("migrate", "-", stdin=TWO_ON_ASSUMPTIONS.encode()).stderr
    assert "on assumptions: tfgpu migrate --unsafe-fixes - trusts them" in said
    assert "--verify" not in said.splitlines()[-1]


@pytest.mark.parametrize(
    ("before", "converts"),
    [
        ("x = tf.constant(1.0)\n", 0),
        ("import sys\n\nif sys.argv[1:]:\n    x = tf.constant(1.0)\n", 1),
        ("with tf.Graph().as_default():\n    x = tf.constant(1.0)\n", 1),
    ],
)
def test_what_a_run_can_only_refute_is_no_assumption(
    tmp_path: Path, before: str, converts: int
) -> None:
    path = write(
        tmp_path / "a.py",
        f"import tensorflow as tf\n\n{before}with tf.Graph().as_default():\n"
        "    config = tf.compat.v1.ConfigProto()\n    config.gpu_options.allow_growth = True\n"
        "    with tf.compat.v1.Session(config=config) as sess:\n        sess.list_devices()\n",
    )
    said = tfgpu("migrate", "--unsafe-fixes", str(path)).stderr
    assert f"{converts} of 1 config converts" in said
