"""The driver under the compilers' sanitizers: no wild access, no overflow, no race."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.verify.driver import stand_in
from tfgpu.verify.simgpu.build import OBJECT, compile_object
from tfgpu.verify.simgpu.gpus import parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment

HARNESS = Path(__file__).with_name("harness.c")
FLAGS = ("-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined")
OPTIONS = {
    "ASAN_OPTIONS": "abort_on_error=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


def sanitized(compiler: str, checks: str, folder: Path) -> Path:
    """Build driver and harness in a folder, and return the harness."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    flags = [f"-fsanitize={checks}", *FLAGS]
    empty = folder / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    probe = [compiler, *flags, str(empty), "-o", str(folder / "empty")]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip(f"{compiler} has no libraries for -fsanitize={checks}")
    empty.unlink()
    target = stand_in(folder)
    work = folder / "driver"
    work.mkdir()
    compile_object([compiler], target, work, flags)
    program = folder / "harness"
    link = [str(work / OBJECT), f"-Wl,-rpath,{work}", "-pthread", "-o", str(program)]
    warn = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *warn, *flags, str(HARNESS), *link], check=True)
    return program


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("checks", ["address,undefined", "thread"])
def test_no_report(compiler: str, checks: str, tmp_path: Path) -> None:
    program = sanitized(compiler, checks, tmp_path)
    base = {"PATH": os.environ["PATH"], **OPTIONS}
    variables = simulated_environment(parse_gpus("sim:2"), tmp_path, tmp_path / "log", base)
    # The race checker knows no address space that is laid out at random as much as here.
    fixed = ["setarch", "-R"] if checks == "thread" and shutil.which("setarch") else []
    done = subprocess.run(
        [*fixed, program], env=variables, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    assert (done.returncode, done.stdout) == (0, "done\n")
