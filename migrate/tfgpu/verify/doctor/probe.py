"""Measures the GPUs of this machine with the TensorFlow of the interpreter that runs this file.

It imports nothing of tfgpu, and runs on Python 3.7 too. Each finding is one line of JSON in the
file that is named as the first argument, so that what was found before a time limit is not lost.
CUDA lives in forks only: each setting wants a process that has not started it.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

FRACTION = 0.4
_RUNTIMES = ("libcudart.so.12", "libcudart.so.11.0", "libcudart.so.10.0")
_MULTIPROCESSORS, _MAJOR, _MINOR = 16, 75, 76


def main() -> None:
    """Find everything."""
    with Path(sys.argv[1]).open("a", encoding="utf-8") as file:

        def tell(**found: Any) -> None:
            file.write(json.dumps(found) + "\n")
            file.flush()

        _in_fork(tell, _driver)
        tell(step="libraries", missing=_missing_libraries(sys.argv[2:]))
        try:
            tf: Any = importlib.import_module("tensorflow")
        except Exception as error:
            tell(step="import", error=f"{type(error).__name__}: {error}")
            return
        tell(step="import", version=tf.__version__)
        for name, options in (
            ("default", {}),
            ("growth", {"allow_growth": True}),
            ("fraction", {"per_process_gpu_memory_fraction": FRACTION}),
        ):
            _in_fork(tell, _setting, name, options)


def _in_fork(tell: Any, measure: Any, *arguments: Any) -> None:
    process = os.fork()
    if process == 0:
        try:
            measure(tell, *arguments)
        except BaseException as error:
            traceback.print_exc()
            text = f"{type(error).__name__}: {error}"
            tell(step="failure", of=str(arguments[0] if arguments else "driver"), error=text)
        os._exit(0)
    os.waitpid(process, 0)


def _missing_libraries(names: Any) -> Any:
    """Return which of some shared libraries cannot be opened, beside Python's packages too."""
    return [name for name in names if _library(name) is None]


def _library(name: str) -> Any:
    beside = [
        str(path)
        for folder in sys.path
        for path in Path(folder or ".", "nvidia").glob(f"*/lib/{name}")
    ]
    for path in [name, *beside]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    return None


class _Cuda:
    """The driver, as far as it is needed here."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        error = self.library.cuInit(0)
        if error == 100:
            raise LookupError("the driver shows no GPU")
        self.check(error, "cuInit")

    def check(self, error: int, name: str) -> None:
        if error:
            raise RuntimeError(f"{name} gives error {error}")

    def call(self, name: str, *arguments: Any) -> None:
        self.check(getattr(self.library, name)(*arguments), name)

    def number(self, name: str, *arguments: Any) -> int:
        value = ctypes.c_int()
        self.call(name, ctypes.byref(value), *arguments)
        return value.value

    def use(self, device: int) -> None:
        """Make the context of a device current."""
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def free(self) -> int:
        """Return the free memory of the device whose context is current."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value


def _driver(tell: Any) -> None:
    """Look at each GPU without TensorFlow: what it is, and what a context takes, step by step."""
    try:
        cuda = _Cuda()
    except (OSError, LookupError) as error:
        tell(step="no GPU", reason=str(error))
        return
    opened = map(_library, _RUNTIMES)
    runtime = next((found for found in opened if found is not None), None)
    nvml = _Nvml()
    version = cuda.number("cuDriverGetVersion")
    for device in range(cuda.number("cuDeviceGetCount")):
        name = ctypes.create_string_buffer(96)
        cuda.call("cuDeviceGetName", name, 96, device)
        bus = ctypes.create_string_buffer(32)
        cuda.call("cuDeviceGetPCIBusId", bus, 32, device)
        total = ctypes.c_size_t()
        cuda.call("cuDeviceTotalMem_v2", ctypes.byref(total), device)
        others = nvml.used(bus.value, total.value)
        cuda.use(device)
        after_context = cuda.free()
        after_runtime = None
        if runtime is not None and not runtime.cudaSetDevice(device):
            runtime.cudaFree(None)
            cuda.use(device)
            after_runtime = cuda.free()
        tell(
            step="gpu",
            device=device,
            name=name.value.decode(),
            bus=bus.value.decode(),
            driver=version,
            capability=".".join(
                str(cuda.number("cuDeviceGetAttribute", one, device)) for one in (_MAJOR, _MINOR)
            ),
            multiprocessors=cuda.number("cuDeviceGetAttribute", _MULTIPROCESSORS, device),
            total=total.value,
            others=others,
            free_with_context=after_context,
            free_with_runtime=after_runtime,
        )


class _Nvml:
    """Used memory as NVML sees it, for all processes; None where it cannot be asked."""

    def __init__(self) -> None:
        try:
            self.library: Any = ctypes.CDLL("libnvidia-ml.so.1")
            if self.library.nvmlInit_v2():
                self.library = None
        except (OSError, AttributeError):
            self.library = None

    def used(self, bus: bytes, total: int) -> Any:
        """Return what all processes use of a card with so much memory for CUDA."""
        if self.library is None:
            return None
        handle = ctypes.c_void_p()
        sizes = (ctypes.c_ulonglong * 3)()  # total, free, used
        if self.library.nvmlDeviceGetHandleByPciBusId_v2(bus, ctypes.byref(handle)):
            return None
        if self.library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(sizes)):
            return None
        # What the driver keeps counts as used, where NVML knows of more than CUDA does.
        return max(sizes[2] - max(sizes[0] - total, 0), 0)


def _setting(tell: Any, name: str, options: Any) -> None:
    """Let TensorFlow make its devices with a setting, and use the first."""
    tf: Any = importlib.import_module("tensorflow")
    device_lib: Any = importlib.import_module("tensorflow.python.client.device_lib")
    v1 = tf.compat.v1
    config = v1.ConfigProto(gpu_options=v1.GPUOptions(**options))
    devices = device_lib.list_local_devices(config)
    limits = [device.memory_limit for device in devices if device.device_type == "GPU"]
    if not limits:
        tell(step="setting", setting=name, limits=[])
        return
    cuda = _Cuda()
    cuda.use(0)
    free = cuda.free()
    graph = tf.Graph()
    with graph.as_default(), tf.device("/GPU:0"):
        made = v1.placeholder(tf.float32, [16]) + 1.0
        feed = made.op.inputs[0]
    with v1.Session(config=config, graph=graph) as session:
        session.run(made, {feed: [0.0] * 16})
        cuda.use(0)
        tell(step="setting", setting=name, limits=limits, taken=free - cuda.free())


if __name__ == "__main__":
    main()
