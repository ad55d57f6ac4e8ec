"""Many files: those that fail among those that do not, in parallel as one after the other."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.cli.tools import CLEAN, GROWTH, GROWTH_AFTER, KEPT, ROOT, SHARED, write
from tfgpu.code.tree import Tree
from tfgpu.engine import Text, kept_anyway, tree_of
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.program.modules import Modules
from tfgpu.results import CRASHED, Result
from tfgpu.run import run
from tfgpu.saving import save

REWRITE = Job(Options(), rewrite=True)
AUDIT = Job(Options(), rewrite=False)
CURRENT = "import tensorflow as tf\ntf.config.set_visible_devices([], 'GPU')\n"
# Python 2 of which lines would go that alone are indented by spaces, or are its syntax.
TABS = """\
import tensorflow as tf
if True:
\tconfig = tf.ConfigProto()
        config.gpu_options.allow_growth = True
\tsess = tf.Session(config=config)
"""
PRINTED = """\
import tensorflow as tf
print tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
"""

FAILING = [
    ("python2.py", b"# ConfigProto\nprint 'x' = = 1\n", 2, "not valid Python 3: Missing"),
    ("syntax.py", b"# ConfigProto\nx = = 1\n", 2, "not valid Python 3: invalid syntax"),
    ("unclosed.py", b"x = (\n# ConfigProto\n", 1, "not valid Python 3: '(' was never closed"),
    ("indent.py", b"ConfigProto\n    x\n", 2, "not valid Python 3: unexpected indent"),
    ("nul.py", b"# ConfigProto\nx = '\0'\n", 2, "not valid Python 3: a NUL byte"),
    ("brackets.py", b"ConfigProto\nx = " + b"[" * 5000 + b"]" * 5000 + b"\n", 2, "too many nested"),
    ("minus.py", b"ConfigProto\nx = " + b"-" * 100_000 + b"1\n", 0, "too deeply nested"),
    ("large.py", b"# ConfigProto\n" * 700_000, 0, "9.3 MiB; files above 4 MiB are not parsed"),
    ("bytes.py", b"a = 1\nb = 2\nConfigProto = '\xff'\n", 3, "byte 0xff is not utf-8"),
    ("coding.py", b"# coding: nonsense\nConfigProto\n", 1, "unknown encoding: nonsense"),
]


def results(*paths: Path, job: Job = REWRITE, jobs: int = 1) -> list[Result]:
    return list(run([*map(str, paths)], job, jobs))


def one(path: Path, job: Job = REWRITE) -> Result:
    (result,) = results(path, job=job)
    return result


class TestFailures:
    @pytest.mark.parametrize(
        ("name", "data", "line", "reason"), FAILING, ids=[name for name, *_ in FAILING]
    )
    def test_a_file_that_fails_says_why_and_where(
        self, tmp_path: Path, name: str, data: bytes, line: int, reason: str
    ) -> None:
        result = one(write(tmp_path / name, data))
        assert result.reason is not None
        assert reason in result.reason
        assert "\n" not in result.reason
        assert result.line == line
        assert not result.parsed
        assert not result.changes
        assert result.new is None

    @pytest.mark.parametrize("jobs", [1, 2])
    @pytest.mark.parametrize("module", ["workers", "decided"])
    def test_an_error_of_tfgpu_costs_one_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, jobs: int
    ) -> None:
        def broken(files: dict[str, bytes], *rest: Any) -> list[Result]:
            if any(path.endswith("b.py") for path in files):
                raise KeyError("nobody has foreseen\nthis")
            return process(files, *rest)

        for number in range(20):
            write(tmp_path / f"p{number}" / ("b.py" if number == 7 else "a.py"), GROWTH)
        monkeypatch.setattr(f"tfgpu.{module}.process", broken)
        found = results(tmp_path, jobs=jobs)
        failed = [result for result in found if result.reason is not None]
        assert [result.path for result in failed] == [str(tmp_path / "p7" / "b.py")]
        reason = failed[0].reason or ""
        assert reason.startswith("tfgpu itself failed (KeyError in tests.test_run:")
        assert reason.endswith("'nobody has foreseen\\nthis'); please report it")
        assert failed[0].new is None
        assert [result.new.decode() for result in found if result.new] == [GROWTH_AFTER] * 19

    @pytest.mark.parametrize(
        ("name", "costs"),
        [
            ("decided.units", ["a.py", "b.py"]),
            ("decided.programs_of", ["a.py", "b.py"]),
            ("program.around.files_around", ["a.py", "b.py"]),
            ("checks.started.Started", ["b.py"]),
        ],
    )
    def test_an_error_while_files_are_grouped_costs_their_project(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, costs: list[str]
    ) -> None:
        def broken(modules: Modules, *rest: Any) -> Any:
            if any(path.startswith(str(tmp_path / "two")) for path in modules.paths):
                raise KeyError("nobody has foreseen")
            return whole(modules, *rest)

        module, _, attribute = f"tfgpu.{name}".rpartition(".")
        whole = getattr(import_module(module), attribute)
        monkeypatch.setattr(f"{module}.{attribute}", broken)
        for project in ("one", "two", "three"):
            write(tmp_path / project / "pyproject.toml", "")
            write(tmp_path / project / "a.py", f"import beside\n{GROWTH}")
            write(tmp_path / project / "b.py", f"import beside\n{CURRENT}")
            write(tmp_path / project / "beside.py", "x = 1\n")
        found = results(
            *(tmp_path / name for name in ("one/a.py", "two/a.py", "two/b.py", "three/a.py"))
        )
        failed = [result for result in found if result.reason is not None]
        assert [result.path for result in failed] == [str(tmp_path / "two" / one) for one in costs]
        for result in failed:
            assert str(result.reason).startswith("tfgpu itself failed (KeyError in tests.test_run:")
            assert result.new is None
        done = [result for result in found if result not in failed and result.path.endswith("a.py")]
        assert done
        assert all(result.new for result in done)

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_the_others_are_still_done(self, tmp_path: Path, jobs: int) -> None:
        for name, data, *_ in FAILING:
            write(tmp_path / name, data)
        for name in ("aaa.py", "mmm.py", "zzz.py"):
            write(tmp_path / name, GROWTH)
        (tmp_path / "loop").symlink_to(".")
        (tmp_path / "self").symlink_to("self")
        found = results(tmp_path, tmp_path / "missing", jobs=jobs)
        good = [Path(result.path).name for result in found if result.reason is None]
        assert good == ["aaa.py", "mmm.py", "zzz.py"]
        assert {result.new for result in found if result.reason is None} == {GROWTH_AFTER.encode()}
        failed = {Path(result.path).name for result in found if result.reason is not None}
        assert failed == {name for name, *_ in FAILING} | {"loop", "self", "missing"}

    @pytest.mark.parametrize(
        "nested",
        [
            "x = a" + ".b()" * 900,
            "x = " + " + ".join(["'a'"] * 900),
            "if x:\n    pass\n" + "elif y:\n    pass\n" * 900,
        ],
        ids=["calls", "sum", "elif"],
    )
    def test_an_audit_of_deep_code_is_done_or_refused(self, tmp_path: Path, nested: str) -> None:
        result = one(write(tmp_path / "a.py", f"{GROWTH}\n{nested}\n"), AUDIT)
        if result.reason is None:
            assert [finding.line for finding in result.findings] == [5, 6]
        else:
            assert "too deeply nested" in result.reason

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_python_2_that_would_have_to_change_fails_in_an_audit(
        self, tmp_path: Path, jobs: int
    ) -> None:
        tabs = write(tmp_path / "tabs" / "a.py", TABS)
        # Enough for other processes to have work.
        others = [write(tmp_path / f"p{number}" / "a.py", PRINTED) for number in range(30)]
        for job in (AUDIT, REWRITE):
            found = {result.path: result for result in results(tmp_path, job=job, jobs=jobs)}
            assert found[str(tabs)].reason is None
            for path in map(str, others):
                reason = "would change a statement in the syntax of Python 2"
                assert str(found[path].reason).startswith(reason)
                assert found[path].line == 2
                assert found[path].new is None

    def test_what_names_no_gpu_setting_is_not_parsed_and_does_not_fail(
        self, tmp_path: Path
    ) -> None:
        for name, data, *_ in FAILING:
            write(tmp_path / name, data.replace(b"ConfigProto", b"OtherProto"))
        found = results(tmp_path)
        assert len(found) == len(FAILING)
        assert not any(result.reason or result.parsed or result.findings for result in found)

    def test_a_query_in_a_large_project_of_kept_configs_costs_no_reading_of_all_its_programs(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compat = "import tensorflow.compat.v1 as tf\n"
        write(tmp_path / "config.py", KEPT)
        write(tmp_path / "query.py", f"{compat}FOUND = tf.test.is_gpu_available()\n")
        write(
            tmp_path / "main.py",
            "import importlib\nimport tensorflow as tf\nsess = tf.Session()\n"
            "importlib.import_module(input())\n",
        )
        for number in range(60):
            write(tmp_path / f"part_{number}.py", f"{compat}X = tf.get_variable('x', ())\n")
        parsed = []

        def noted(text: Text, path: str) -> Tree:
            parsed.append(Path(path).name)
            return tree_of(text, path)

        monkeypatch.setattr("tfgpu.surroundings.tree_of", noted)
        found = [item for result in results(tmp_path, job=AUDIT) for item in result.findings]
        assert [item.name for item in found].count("is-gpu-available") == 1
        assert parsed == ["main.py"]

    @pytest.mark.parametrize(
        "taken", ["Session(config=config)", "estimator.RunConfig(session_config=config)"]
    )
    def test_a_config_with_a_value_that_nothing_replaces_is_decided_by_its_file(
        self, taken: str
    ) -> None:
        text = f"""
            import tensorflow as tf

            def make(level):
                options = tf.OptimizerOptions(global_jit_level=level)
                config = tf.ConfigProto(
                    allow_soft_placement=True,
                    graph_options=tf.GraphOptions(optimizer_options=options),
                )
                return tf.{taken}
        """
        book = AUDIT.book(["a.py"])
        found = kept_anyway("a.py", Text(dedent(text)), book, Options(), lambda _: False)
        assert found is not None

    def test_a_file_that_vanishes_between_the_walk_and_the_reading(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        there, gone = write(tmp_path / "a.py", GROWTH), tmp_path / "b.py"
        monkeypatch.setattr(
            "tfgpu.run.discover", lambda paths, kinds, excludes: [str(there), str(gone)]
        )
        found = list(run([str(tmp_path)], REWRITE, 1))
        assert [result.reason for result in found] == [None, "No such file or directory"]


class TestResult:
    def test_a_file_that_changes(self, tmp_path: Path) -> None:
        result = one(write(tmp_path / "a.py", GROWTH))
        assert (result.parsed, result.changes, result.reason) == (True, True, None)
        assert result.old == GROWTH.encode()
        assert result.new == GROWTH_AFTER.encode()
        assert [finding.name for finding in result.findings] == ["allow-growth", "session-config"]
        assert [config.kept_by for config in result.configs] == [None]

    def test_an_audit_says_the_same_and_makes_no_new_text(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        audited, migrated = one(path, AUDIT), one(path)
        assert audited.new is None
        assert audited.changes
        assert (audited.findings, audited.configs) == (migrated.findings, migrated.configs)

    def test_a_file_that_is_kept(self, tmp_path: Path) -> None:
        result = one(write(tmp_path / "a.py", KEPT))
        assert (result.parsed, result.changes, result.new) == (True, False, None)
        assert [config.kept_by for config in result.configs] == ["TFG521"]

    def test_a_file_without_tokens(self, tmp_path: Path) -> None:
        result = one(write(tmp_path / "a.py", CLEAN))
        assert (result.parsed, result.changes, result.findings) == (False, False, [])

    def test_an_empty_file_and_an_empty_folder(self, tmp_path: Path) -> None:
        assert one(write(tmp_path / "a.py", "")).reason is None
        (tmp_path / "empty").mkdir()
        assert results(tmp_path / "empty") == []


@pytest.mark.parametrize("job", [AUDIT, REWRITE], ids=["audit", "migrate"])
def test_two_processes_give_what_one_gives_in_the_same_order(tmp_path: Path, job: Job) -> None:
    for number, path in enumerate(sorted((ROOT / "fixtures").glob("*/before.py"))):
        shutil.copy(path, tmp_path / f"{number:02}_{path.parent.name}.py")
    write(tmp_path / "05_failing.py", FAILING[0][1])
    write(tmp_path / "06_clean.py", CLEAN)
    write(tmp_path / "sub" / "config.py", SHARED)
    write(tmp_path / "sub" / "use.py", "from config import config\n")
    serial = results(tmp_path, tmp_path / "missing.py", job=job)
    assert sum(result.parsed for result in serial) > 12
    assert results(tmp_path, tmp_path / "missing.py", job=job, jobs=2) == serial


@pytest.mark.parametrize("job", [AUDIT, REWRITE], ids=["audit", "migrate"])
def test_a_copy_of_the_process_does_half_of_a_few_large_programs(tmp_path: Path, job: Job) -> None:
    for number in range(6):
        text = GROWTH + f"x = {number}\n" * 2500
        write(tmp_path / f"p{number}" / "main.py", text)
        write(tmp_path / f"p{number}" / "sub" / "config.py", SHARED)
    serial = results(tmp_path, job=job)
    assert results(tmp_path, job=job, jobs=2) == serial
    assert sum(bool(result.findings) for result in serial) == 12


def test_a_copy_that_comes_to_its_end_costs_the_program_that_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = os.getpid()

    def fatal(files: dict[str, bytes], *rest: Any) -> list[Result]:
        if any("p3" in path for path in files) and os.getpid() != own:
            os._exit(1)
        return process(files, *rest)

    for number in range(5):
        write(tmp_path / f"p{number}" / "main.py", GROWTH + f"x = {number}\n" * 8000)
    monkeypatch.setattr("tfgpu.workers.process", fatal)
    found = results(tmp_path, job=AUDIT, jobs=2)
    assert [result.reason for result in found if "p3" in result.path] == [CRASHED]
    assert all(result.findings for result in found if "p3" not in result.path)


class TestSave:
    def test_the_new_text_in_the_encoding_of_the_file(self, tmp_path: Path) -> None:
        head = "# coding: latin-1\r\n# caf\xe9\r\n"
        path = write(tmp_path / "a.py", (head + GROWTH.replace("\n", "\r\n")).encode("latin-1"))
        save([one(path)], {})
        after = head + GROWTH_AFTER.replace("\n", "\r\n")
        assert path.read_bytes() == after.encode("latin-1")

    def test_a_bom_stays(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH.encode("utf-8-sig"))
        save([one(path)], {})
        assert path.read_bytes() == GROWTH_AFTER.encode("utf-8-sig")

    def test_no_newline_at_the_end_stays_so(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH.rstrip())
        save([one(path)], {})
        assert path.read_bytes() == GROWTH_AFTER.rstrip().encode()

    def test_lines_that_do_not_change_keep_their_endings(self, tmp_path: Path) -> None:
        mixed = 'x = 1\r\ny = "\x0c\u2028"\nz = """\r\n\n\r"""\r\n'
        path = write(tmp_path / "a.py", GROWTH + mixed)
        save([one(path)], {})
        assert path.read_bytes() == (GROWTH_AFTER + mixed).encode()

    def test_a_file_that_was_edited_meanwhile(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        result = one(path)
        path.write_text("mine\n")
        save([result], {})
        assert result.reason == "changed while it was read; not written"
        assert path.read_text() == "mine\n"

    def test_a_file_that_cannot_be_rewritten_keeps_its_program(self, tmp_path: Path) -> None:
        helper = write(tmp_path / "helper.py", GROWTH)
        write(tmp_path / "main.py", "import helper\n" + GROWTH)
        write(tmp_path / "other.py", GROWTH)
        found = {Path(one.path).name: one for one in results(tmp_path, job=REWRITE)}
        # As where its new text cannot be put into the cells of a notebook.
        found["main.py"].reason, found["main.py"].new_text = "cannot be rewritten", None
        save(found.values(), {})
        assert helper.read_text() == GROWTH
        words = f"its program stays as it is, because of {found['main.py'].path}; not changed"
        assert found["helper.py"].reason == words
        assert found["other.py"].reason is None
        assert (tmp_path / "other.py").read_text() == GROWTH_AFTER


class TestUsedElsewhere:
    @pytest.mark.parametrize(
        ("name", "use"),
        [
            ("a_use.py", "from pkg.shared import config\n"),
            ("z_use.py", "from pkg.shared import config as c\n"),
            ("z_use.py", "import pkg.shared\nprint(pkg.shared.config)\n"),
            ("z_use.py", "import pkg.shared as s\nprint(s.config)\n"),
            ("z_use.py", "from pkg import shared as s\nprint(s.config)\n"),
            ("z_use.py", "from pkg.shared import *\nprint(config)\n"),
            ("pkg/a_use.py", "from .shared import config\n"),
            ("pkg/z_use.py", "from shared import config\n"),
            ("pkg/z_use.py", "def late():\n    import shared\n    return shared.config\n"),
            ("pkg/sub/use.py", "from ..shared import config\n"),
            ("tests/use.py", "from pkg.shared import config\n"),
        ],
    )
    def test_a_config_that_another_file_takes_is_kept(
        self, tmp_path: Path, name: str, use: str
    ) -> None:
        shared = write(tmp_path / "pkg" / "shared.py", SHARED)
        user = write(tmp_path / name, use)
        result = _result_of(shared, tmp_path)
        assert not result.changes
        assert result.new is None
        kept = [finding for finding in result.findings if finding.name == "used-elsewhere"]
        assert [str(user) in finding.message for finding in kept] == [True]

    @pytest.mark.parametrize(
        ("name", "use"),
        [
            ("use.py", "from other.shared import config\n"),
            ("use.py", "from shared import config\n"),
            ("use.py", "config = 1  # pkg.shared\n"),
            ("other/use.py", "from .shared import config\n"),
        ],
    )
    def test_a_config_that_no_other_file_takes_is_converted(
        self, tmp_path: Path, name: str, use: str
    ) -> None:
        shared = write(tmp_path / "pkg" / "shared.py", SHARED)
        write(tmp_path / name, use)
        assert _result_of(shared, tmp_path).changes

    def test_a_file_that_cannot_be_parsed_counts_by_its_words(self, tmp_path: Path) -> None:
        shared = write(tmp_path / "pkg" / "shared.py", SHARED)
        use = write(tmp_path / "use.py", "from pkg.shared import config\nprint config\n")
        result = _result_of(shared, tmp_path)
        assert not result.changes
        assert any(str(use) in finding.message for finding in result.findings)

    def test_a_package_is_known_by_the_name_of_its_folder(self, tmp_path: Path) -> None:
        shared = write(tmp_path / "pkg" / "__init__.py", SHARED)
        write(tmp_path / "use.py", "from pkg import config\n")
        assert not _result_of(shared, tmp_path).changes

    def test_files_beside_one_that_is_named_count_unless_it_stands_by_itself(
        self, tmp_path: Path
    ) -> None:
        shared = write(tmp_path / "shared.py", SHARED)
        write(tmp_path / "use.py", "from shared import config\n")
        assert not one(shared).changes
        assert not _result_of(shared, tmp_path).changes
        (alone,) = run([str(shared)], Job(Options(), rewrite=True, per_file=True), jobs=1)
        assert alone.changes


def test_settings_that_an_import_would_apply_keep_a_config(tmp_path: Path) -> None:
    text = """
        import tensorflow as tf

        config = tf.compat.v1.ConfigProto(allow_soft_placement=True)


        def run():
            return tf.compat.v1.Session(graph=tf.Graph(), config=config)
        """
    shared = write(tmp_path / "shared.py", dedent(text))
    assert _result_of(shared, tmp_path).changes
    write(tmp_path / "use.py", "import shared\n")
    assert [config.kept_by for config in _result_of(shared, tmp_path).configs] == ["TFG929"]


def _result_of(path: Path, folder: Path) -> Result:
    found = {result.path: result for result in results(folder)}
    return found[str(path)]


@pytest.mark.parametrize(
    "text",
    [
        "a = b + 1\nb = a + 1\nconfig.gpu_options.visible_device_list = str(a)\n",
        "import timeit\ndef go(step):\n    timeit.timeit(step)\n    go(step)\ngo(lambda: 1)\n",
        "import timeit\ndef go(a, b):\n    timeit.timeit(a)\n    go(b, a)\ngo(int, int)\n",
    ],
)
def test_what_stands_for_itself_is_not_followed_for_ever(text: str, tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    head = "import tensorflow as tf\nconfig = tf.ConfigProto(log_device_placement=True)\n"
    path.write_text(f"{head}{text}tf.Session(config=config)\n")
    (result,) = run([str(path)], REWRITE, jobs=1)
    assert result.reason is None
    (config,) = result.configs
    assert config.kept_by is not None
