"""The codemod as LibCST's users test, run and list theirs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from libcst.codemod import CodemodContext, CodemodTest

from tests.cli.tools import GROWTH, GROWTH_AFTER, KEPT, QUERY, write
from tfgpu.codemod import MigrateGpuConfig


class TestMigrateGpuConfig(CodemodTest):
    TRANSFORM = MigrateGpuConfig

    def test_a_config_becomes_calls(self) -> None:
        self.assertCodemod(GROWTH, GROWTH_AFTER)

    def test_a_second_run_changes_nothing(self) -> None:
        self.assertCodemod(GROWTH_AFTER, GROWTH_AFTER)

    def test_a_config_that_is_kept_is_a_warning(self) -> None:
        self.assertCodemod(
            KEPT,
            KEPT,
            expected_warnings=[
                "line 6: TFG521 graph-options-v1-only: config kept: "
                "tf.config has no call for this graph option",
                "line 7: TFG601 session-config: `tf.Session` keeps its config",
            ],
        )

    def test_options_come_from_the_command_line(self) -> None:
        after = QUERY.replace("tf.test.is_gpu_available()",
                              'bool(tf.config.list_physical_devices("GPU"))')  # fmt: skip
        self.assertCodemod(QUERY, after, unsafe_fixes=True)

    def test_a_bridge_leaves_imports_alone(self) -> None:
        imports = GROWTH_AFTER.partition("\n\n")[0]
        after = GROWTH_AFTER.replace(imports, GROWTH.partition("\n\n")[0])
        after = after.replace("tf.config.list_ph", "tf.config.experimental.list_ph")
        self.assertCodemod(GROWTH, after, bridge=True)

    def test_what_cannot_be_analysed_is_skipped(self) -> None:
        context = CodemodContext()
        deep = "x = " + "(" * 70 + "1" + ")" * 70 + "\nimport tensorflow as tf\ntf.ConfigProto()\n"
        self.assertCodemod(deep, deep, context_override=context)


def tool(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libcst.tool", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_tool_runs_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.py", GROWTH)
    done = tool(tmp_path, "codemod", "-x", "tfgpu.codemod.MigrateGpuConfig", "--no-format", "a.py")
    assert done.returncode == 0, done.stderr
    assert path.read_text() == GROWTH_AFTER


def test_the_tool_lists_it(tmp_path: Path) -> None:
    write(tmp_path / ".libcst.codemod.yaml", "modules: ['tfgpu']\n")
    done = tool(tmp_path, "list")
    assert f"codemod.MigrateGpuConfig - {MigrateGpuConfig.DESCRIPTION}" in done.stdout
