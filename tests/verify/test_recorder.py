"""What runs inside a leg must run on the oldest Python that a leg may have."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tfgpu.verify.legs import RECORDER

FILES = sorted(RECORDER.glob("*.py"))
# Python 3.7 has these; what is newer in them is up to a run on TensorFlow 1.15.
STANDARD = set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_is_python_3_7_without_other_packages(path: Path) -> None:
    module = ast.parse(path.read_text("utf-8"), feature_version=(3, 7))
    for node in ast.walk(module):
        assert not isinstance(node, ast.Match | ast.NamedExpr)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [] if node.level else [node.module or ""]
        else:
            continue
        assert {name.partition(".")[0] for name in names} <= STANDARD


def test_there_is_something_to_look_at() -> None:
    assert {"leg.py", "sessions.py", "static_cudart.py"} <= {path.name for path in FILES}


def test_code_that_was_run_is_kept() -> None:
    program = """
import sys, weakref
from tfgpu.verify.recorder.codes import keep_codes

def run():
    code = compile("x = 1", "program.py", "exec")
    exec(code, {})
    return weakref.ref(code)

freed = run()
keep_codes()
print(freed() is None, run()() is None)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stdout == "True False\n", done.stderr


def test_calls_in_other_files_are_looked_up_once(tmp_path: Path) -> None:
    """A child that imports TensorFlow makes millions of calls."""
    script = tmp_path / "script.py"
    script.write_text("import calendar\nfor year in range(500):\n    calendar.isleap(year)\n")
    program = f"""
import os, sys
from types import SimpleNamespace
from tfgpu.verify.recorder.marks import Marks

ran, looked = [], []
stream = SimpleNamespace(write=lambda kind, **told: ran.append(told["line"]))
marks = Marks({{{str(script)!r}: [[3, 4, 0]]}}, {{}}, stream, {str(tmp_path)!r})
realpath = os.path.realpath
os.path.realpath = lambda path: looked.append(path) or realpath(path)
code = compile(open({str(script)!r}).read(), {str(script)!r}, "exec")
marks.watch_script({str(script)!r})
exec(code, {{}})
sys.settrace(None)
print(ran, len(looked) < 100)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stdout == "[3] True\n", done.stderr
