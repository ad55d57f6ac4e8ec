"""Programs on the simulated driver by itself, through ctypes: no TensorFlow, no GPU."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

from tfgpu.verify.simgpu.build import find_compiler
from tfgpu.verify.simgpu.gpus import parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import Target

PRELUDE = """
import ctypes, json
cuda = ctypes.CDLL("libcuda.so.1")
P, S = ctypes.c_void_p, ctypes.c_size_t
cuda.cuMemAlloc_v2.argtypes = [ctypes.POINTER(P), S]
cuda.cuMemcpyHtoD_v2.argtypes = [P, ctypes.c_char_p, S]
cuda.cuMemcpyDtoH_v2.argtypes = [ctypes.c_char_p, P, S]
cuda.cuMemcpyDtoD_v2.argtypes = [P, P, S]
cuda.cuMemFree_v2.argtypes = [P]
def context(device=0):
    assert cuda.cuInit(0) == 0
    made = P()
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(made), device) == 0
    assert cuda.cuCtxSetCurrent(made) == 0
def alloc(size):
    at = P()
    return cuda.cuMemAlloc_v2(ctypes.byref(at), size), at
def put(at, data): assert cuda.cuMemcpyHtoD_v2(at, data, len(data)) == 0
def get(at, size):
    out = ctypes.create_string_buffer(b"?" * size, size)
    assert cuda.cuMemcpyDtoH_v2(out, at, size) == 0
    return out.raw
def info():
    free, total = S(), S()
    assert cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)) == 0
    return [free.value // 2**20, total.value // 2**20]
def buses():
    error, count = cuda.cuInit(0), ctypes.c_int()
    cuda.cuDeviceGetCount(ctypes.byref(count))
    text = ctypes.create_string_buffer(32)
    found = []
    for i in range(count.value):
        cuda.cuDeviceGetPCIBusId(text, 32, i)
        found.append(int(text.value.decode()[5:7], 16))
    return [error, *found]
"""


def stand_in(folder: Path) -> Target:
    """Make a TensorFlow that wants four names."""
    source = folder / "names.c"
    names = ("cublasSgemm_v2", "cusparseGetNews", "cudnnCreate", "cuInit")
    source.write_text("".join(f"void {name}(void) {{}}\n" for name in names))
    library = folder / "libtensorflow_framework.so.2"
    subprocess.run([*find_compiler(), "-shared", "-fPIC", source, "-o", library], check=True)
    return Target(folder, "2.99.0", "12.5.1", "9")


def run(
    libraries: Path,
    gpus: str,
    program: str,
    log: Path | None = None,
    variables: dict[str, str] | None = None,
) -> object:
    """Run a program on GPUs and return what it prints as JSON."""
    base = {"PATH": "/usr/bin:/bin", **(variables or {})}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
        env=simulated_environment(parse_gpus(gpus), libraries, log, base),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)
