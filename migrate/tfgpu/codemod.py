"""The codemod for LibCST's users: `libcst.tool codemod -x tfgpu.codemod.MigrateGpuConfig`.

It takes one file for a program of its own: what other files of the program do is not seen. For a
program of several files there is `tfgpu migrate`.
"""

from __future__ import annotations

import argparse

from libcst import Module, parse_module
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from tfgpu.api import migrate_text


class MigrateGpuConfig(CodemodCommand):
    """Moves GPU settings of `tf.ConfigProto` to `tf.config`."""

    DESCRIPTION = "Move GPU and device configuration from tf.ConfigProto to tf.config."

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options of `tfgpu migrate` that make sense for one file."""
        arg_parser.add_argument(
            "--unsafe-fixes",
            action="store_true",
            help="also make changes whose meaning can differ",
        )
        arg_parser.add_argument(
            "--bridge",
            action="store_true",
            help="write settings that TensorFlow 1.15 and 2 both have, and leave imports alone",
        )

    def __init__(
        self, context: CodemodContext, unsafe_fixes: bool = False, bridge: bool = False
    ) -> None:
        super().__init__(context)
        self._unsafe_fixes = unsafe_fixes
        self._bridge = bridge

    def transform_module_impl(self, tree: Module) -> Module:
        """Return the migrated module; what is left to be done comes as warnings.

        Raises:
            SkipFile: the file cannot be analysed, or rewritten.
        """
        path = self.context.filename or "<text>"
        found = migrate_text(tree.code, path, unsafe_fixes=self._unsafe_fixes, bridge=self._bridge)
        if found.error is not None:
            raise SkipFile(found.error)
        made = {"safe", "unsafe"} if self._unsafe_fixes else {"safe"}
        for item in found.findings:
            if item.severity != "note" and (item.fix not in made or found.new is None):
                self.warn(f"line {item.line}: {item.code} {item.name}: {item.message}")
        if found.new is None:
            return tree
        return parse_module(found.new.decode(), tree.config_for_parsing)
