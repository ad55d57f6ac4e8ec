"""The static CUDA runtime of TensorFlow 1.15, in libraries made to look like its own."""

import platform
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tfgpu.verify.recorder.static_cudart import redirect
from tfgpu.verify.simgpu.build import find_compiler

MARK = "libtensorflow_framework.so.1"

# A runtime that fails, kernels in two files that are linked and in one that is not. As in nvcc's
# code, the linked ones are registered by a counter when the last file has come.
LIBRARY = """
#define PRIVATE __attribute__((visibility("hidden"), noinline))
#define FILLED __asm__ volatile(".fill 16, 1, 0x90")
PRIVATE int cudaLaunchKernel(void *kernel) { FILLED; return kernel ? 30 : 31; }
PRIVATE int ncclAllReduce(void) { FILLED; return 30; }
PRIVATE void *__cudaRegisterFatBinary(void *binary) { FILLED; return binary; }
PRIVATE void __cudaRegisterFunction(void *module, void *host) { FILLED; (void)module, (void)host; }
MORE
static int alone, first, second;
PRIVATE void one(void *module) { __cudaRegisterFunction(module, &first); }
PRIVATE void two(void *module) { __cudaRegisterFunction(module, &second); }
int counter __asm__("_ZZL26__cudaRegisterLinkedBinaryvE3__i") __attribute__((visibility("hidden")));
static void (*callbacks[2])(void *);
static void linked(void (*callback)(void *)) {
    callbacks[counter] = callback;
    if (++counter < 2) return;
    void *module = __cudaRegisterFatBinary(&counter);
    for (counter = 0; counter < 2; counter++) callbacks[counter](module);
}
PRIVATE void __cudaRegisterLinkedBinary_one(void) { linked(one); }
PRIVATE void __cudaRegisterLinkedBinary_two(void) { linked(two); }
__attribute__((constructor)) PRIVATE void all(void) __asm__("_ZL24__sti____cudaRegisterAllv");
void all(void) {
    __cudaRegisterFunction(__cudaRegisterFatBinary(&alone), &alone);
    __cudaRegisterLinkedBinary_one();
    __cudaRegisterLinkedBinary_two();
}
int launch(void) { return cudaLaunchKernel(&alone); }
int reduce(void) { return ncclAllReduce(); }
"""
DRIVER = """
#include <stddef.h>
int binaries, functions;
int cudaLaunchKernel(void *kernel) { return kernel == NULL; }
int ncclAllReduce(void) { return 0; }
void *__cudaRegisterFatBinary(void *binary) { binaries++; return binary; }
void __cudaRegisterFunction(void *module, void *host) { functions += module && host; }
"""
PROGRAM = """
import ctypes, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("static_cudart", sys.argv[1])
module = sys.modules["static_cudart"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
folder, driver = sys.argv[2], sys.argv[3]
tensorflow = ctypes.CDLL(sys.argv[4]) if sys.argv[4] else None
try:
    counts = [module.redirect(folder, driver), module.redirect(folder, driver)]
except module.StaticRuntimeError as error:
    counts = str(error)
calls = [tensorflow.launch(), tensorflow.reduce()] if tensorflow else []
made = ctypes.CDLL(driver)
kernels = [ctypes.c_int.in_dll(made, name).value for name in ("binaries", "functions")]
print(json.dumps([counts, calls, kernels]))
"""


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[..., Path]:
    """Compile a text into a shared library."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("jumps are written for Linux on x86-64")
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("needs a C compiler")

    def compile_library(text: str, path: Path, *options: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        source = tmp_path / f"{path.stem}.c"
        source.write_text(text)
        command = [*find_compiler(), "-O1", "-shared", "-fPIC", *options, str(source)]
        subprocess.run([*command, "-o", str(path)], check=True)
        return path

    return compile_library


def run(folder: Path, driver: Path, library: Path | str) -> str:
    """Load a library, redirect twice, and tell what calls through it give."""
    source = Path(redirect.__code__.co_filename)
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(source), str(folder)]
    done = subprocess.run(
        [*command, str(driver), str(library)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that says it is TensorFlow 1."""
    core = tmp_path / "tensorflow_core"
    core.mkdir()
    (core / MARK).touch()
    (tmp_path / "tensorflow").mkdir()
    return core


def library_of(more: str = "") -> str:
    return LIBRARY.replace("MORE", more)


def test_calls_and_kernels_reach_the_driver(compiled: Callable[..., Path], folder: Path) -> None:
    library = compiled(library_of(), folder / "python" / "internal.so")
    driver = compiled(DRIVER, folder.parent / "driver.so")
    # The folder of `tensorflow` stands for that of `tensorflow_core`; the second call does nothing.
    shown = run(folder.parent / "tensorflow", driver, library)
    assert shown == "[[4, 0], [0, 0], [2, 3]]"


@pytest.mark.parametrize(
    ("more", "options", "reason"),
    [
        ("", ["-s", "-Wl,--section-start=.nv_fatbin=0x100000"], "no symbol table"),
        ("PRIVATE void cudaShort(void) {}", [], "cudaShort has 1 bytes, a jump needs 12"),
        ("PRIVATE void cudaNew(void) { FILLED; }", [], "the simulated driver has no cudaNew"),
        (
            "PRIVATE void __cudaRegisterLinkedBinary_three(void) { FILLED; }",
            [],
            "2 of 3 files with linked kernels were registered",
        ),
    ],
)
def test_refuses(
    more: str,
    options: list[str],
    reason: str,
    compiled: Callable[..., Path],
    folder: Path,
) -> None:
    fat = '__attribute__((section(".nv_fatbin"), used)) static char fat[8] = {1};'
    library = compiled(library_of(more + fat), folder / "python" / "internal.so", *options)
    driver = compiled(DRIVER, folder.parent / "driver.so")
    shown = run(folder, driver, library)
    assert reason in shown
    assert "[30, 30], [0, 0]" in shown  # nothing was changed


def test_refuses_code_that_something_else_changed(
    compiled: Callable[..., Path], folder: Path
) -> None:
    change = """
        #include <sys/mman.h>
        static void __attribute__((constructor)) change(void) {
            long page = (long)&cudaLaunchKernel & ~4095L;
            mprotect((void *)page, 8192, 7);
            *(char *)&cudaLaunchKernel = (char)0xc3;
        }"""
    library = compiled(library_of(change), folder / "python" / "internal.so")
    driver = compiled(DRIVER, folder.parent / "driver.so")
    assert "cudaLaunchKernel in memory is not what the file says" in run(folder, driver, library)


def test_refuses_before_the_import(compiled: Callable[..., Path], folder: Path) -> None:
    driver = compiled(DRIVER, folder.parent / "driver.so")
    assert "import tensorflow first" in run(folder, driver, "")


def test_does_nothing_for_tensorflow2(compiled: Callable[..., Path], folder: Path) -> None:
    (folder / MARK).rename(folder / "libtensorflow_framework.so.2")
    library = compiled(library_of(), folder / "python" / "internal.so")
    driver = compiled(DRIVER, folder.parent / "driver.so")
    assert run(folder, driver, library) == "[[0, 0], [30, 30], [0, 0]]"


def test_does_nothing_without_a_static_runtime(compiled: Callable[..., Path], folder: Path) -> None:
    text = "int launch(void) { return 7; } int reduce(void) { return 8; }"
    library = compiled(text, folder / "python" / "internal.so")
    driver = compiled(DRIVER, folder.parent / "driver.so")
    assert run(folder, driver, library) == "[[0, 0], [7, 8], [0, 0]]"
