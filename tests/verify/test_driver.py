"""The simulated driver by itself, through ctypes: no TensorFlow, no GPU."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.verify.driver import run
from tfgpu.verify.simgpu.events import read_events


@pytest.mark.parametrize(
    ("visible", "shown"),
    [
        (None, [0, 1, 2, 3, 4]),
        ("1,0", [0, 2, 1]),
        ("2", [0, 3]),
        ("-1", [100]),
        ("", [100]),
        ("0,7,1", [0, 1]),
        ("1,-1,2", [0, 2]),
        ("abc", [100]),
        ("GPU-51", [0, 2]),
        ("GPU-5", [100]),
    ],
)
def test_cuda_visible_devices(libraries: Path, visible: str | None, shown: list[int]) -> None:
    variables = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    assert run(libraries, "sim:4", "print(json.dumps(buses()))", None, variables) == shown


def test_fastest_first_is_the_default_order(libraries: Path) -> None:
    program = "print(json.dumps(buses()))"
    by_bus = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    assert run(libraries, "sim:K80,T4,V100-16", program) == [0, 2, 3, 1]
    assert run(libraries, "sim:K80,T4", program, None, by_bus) == [0, 1, 2]


def test_a_process_ends_before_it_takes_the_memory_of_the_host(
    libraries: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    program = """
        context()
        for size in (1000, 1000, 1000):
            assert alloc(size * 2**20)[0] == 0
        print(json.dumps("whole"))
    """
    enough, less = ({"TFGPU_SIM_HOST_BYTES": str(size * 2**20)} for size in (94, 93))
    assert run(libraries, "sim:16GiB", program, log, enough) == "whole"
    assert read_events(log).host_memory == 0
    with pytest.raises(subprocess.CalledProcessError) as ended:
        run(libraries, "sim:16GiB", program, log, less)
    assert ended.value.returncode == -signal.SIGKILL
    assert read_events(log).host_memory == 3000 * 2**20 / 32


def test_memory_is_counted(libraries: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = """
        context(1)
        first = info()
        error, at = alloc(1000 * 2**20)
        second = info()
        too_much = alloc(8000 * 2**20)[0]
        cuda.cuMemFree_v2(at)
        print(json.dumps([first, error, second, too_much, info()]))
    """
    assert run(libraries, "sim:16GiB,8GiB(used=1GiB)", program, log) == [
        [8192 - 1024 - 300, 8192],
        0,
        [8192 - 1024 - 300 - 1000, 8192],
        2,
        [8192 - 1024 - 300, 8192],
    ]
    events = read_events(log)
    assert [event.operation for event in events.memory if event.gpu == 1] == [
        "visible",
        "context",
        "alloc",
        "alloc failed",
        "free",
    ]
    assert [event.operation for event in events.memory][-1] == "exit"
    assert list(events.visible.values()) == [2]
    mib = 2**20
    assert events.used() == {1: [300 * mib, 1300 * mib, 300 * mib, 0]}
    assert events.peak() == {1: 1300 * mib}
    assert events.allocations() == {1: [("alloc", 1000 * 2**20), ("alloc failed", 8000 * 2**20)]}


def test_a_process_that_saw_no_gpu_differs_from_one_that_never_asked(
    libraries: Path, tmp_path: Path
) -> None:
    asked, never = tmp_path / "asked", tmp_path / "never"
    none = {"CUDA_VISIBLE_DEVICES": "-1"}
    assert run(libraries, "sim:2", "print(json.dumps(buses()))", asked, none) == [100]
    assert run(libraries, "sim:2", "print(json.dumps(1))", never) == 1
    assert list(read_events(asked).visible.values()) == [0]
    assert read_events(never).visible == {}


def test_used_memory_counts_every_kind_of_allocation(libraries: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = """
        context()
        at, pool, memory = P(), P(), P()
        assert cuda.cuMemAllocManaged(ctypes.byref(at), S(2**30), 1) == 0
        assert cuda.cuMemFree_v2(at) == 0
        cuda.cuDeviceGetDefaultMemPool(ctypes.byref(pool), 0)
        assert cuda.cuMemAllocFromPoolAsync(ctypes.byref(at), S(2**21), pool, None) == 0
        assert cuda.cuMemFree_v2(at) == 0
        properties = (ctypes.c_int * 8)(1, 0, 1, 0)
        assert cuda.cuMemCreate(ctypes.byref(memory), S(2**22), properties, 0) == 0
        assert cuda.cuMemAddressReserve(ctypes.byref(at), S(2**23), S(0), P(), 0) == 0
        assert cuda.cuMemMap(at, S(2**22), S(0), memory, 0) == 0
        assert cuda.cuMemRelease(memory) == 0
        mapped = info()[0]
        assert cuda.cuMemAddressFree(at, S(2**23)) == 1  # still mapped
        assert cuda.cuMemUnmap(at, S(2**22)) == 0
        assert cuda.cuMemAddressFree(at, S(2**23)) == 0
        cuda.cuDevicePrimaryCtxRelease_v2(0)
        print(json.dumps([mapped, info()[0]]))
    """
    assert run(libraries, "sim:1", program, log) == [16384 - 300 - 4, 16384]
    context = 300 * 2**20
    curve = [context, context + 2**21, context, context + 2**22, context, 0]
    assert read_events(log).used() == {0: curve}


def test_a_fork_of_an_initialised_process_has_no_cuda(libraries: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = """
        import os
        def forked():
            child = os.fork()
            if not child:
                os._exit(cuda.cuInit(0) + 10 * alloc(4096)[0])
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        before = forked()
        context()
        print(json.dumps([before, forked()]))
    """
    assert run(libraries, "sim:1", program, log) == [2010 % 256, 33]
    assert len(read_events(log).visible) == 2


def test_wrong_calls_get_their_error(libraries: Path) -> None:
    program = """
        count = ctypes.c_int()
        early = cuda.cuDeviceGetCount(ctypes.byref(count))
        cuda.cuInit(0)
        size = ctypes.c_size_t()
        no_context = [alloc(4096)[0], cuda.cuMemGetInfo_v2(ctypes.byref(size), ctypes.byref(size))]
        context()
        at = alloc(4096)[1]
        pinned = P()
        cuda.cuMemAllocHost_v2(ctypes.byref(pinned), S(4096))
        print(json.dumps([
            early,
            no_context,
            cuda.cuCtxSetCurrent(P(4096)),
            cuda.cuMemcpyHtoD_v2(at, b"x" * 4097, 4097),
            cuda.cuMemcpyHtoD_v2(P(at.value + 4095), b"xx", 2),
            cuda.cuMemsetD32_v2(at, 1, S(2**62 + 1)),
            cuda.cuMemFree_v2(P(at.value + 8)),
            cuda.cuMemFree_v2(pinned),
            cuda.cuMemAllocPitch_v2(
                ctypes.byref(P()), ctypes.byref(size), S(2**40), S(2**40), 4),
            cuda.cuMemRelease(P()),
            cuda.cuMemFree_v2(at), cuda.cuMemFree_v2(at),
        ]))
    """
    assert run(libraries, "sim:1", program) == [3, [201, 201], 201, 1, 1, 1, 1, 1, 2, 1, 0, 1]


def test_what_the_host_wrote_reads_back_until_a_kernel_ran(libraries: Path) -> None:
    program = """
        context()
        at = alloc(4096)[1]
        empty = get(at, 4).hex()
        put(at, b"abcdefgh")
        copy = alloc(4096)[1]
        cuda.cuMemcpyDtoD_v2(copy, at, 8)
        seen = [empty, get(at, 8).decode(), get(copy, 4).decode(), get(at, 9).hex()]
        cuda.cuLaunchKernel(P(64), 1, 1, 1, 1, 1, 1, 0, P(), P(), P())
        print(json.dumps([*seen, get(at, 4).hex(), get(copy, 4).hex()]))
    """
    zeros = "00000000"
    assert run(libraries, "sim:1", program) == [
        zeros,
        "abcdefgh",
        "abcd",
        "00" * 9,
        zeros,
        zeros,
    ]


def test_a_calculation_spoils_only_what_it_was_given(libraries: Path) -> None:
    program = """
        context()
        left, right = alloc(4096)[1], alloc(4096)[1]
        put(left, b"left"), put(right, b"right")
        cublas = ctypes.CDLL("libcublas.so.12")
        zero = P(0)
        cublas.cublasSgemm_v2(zero, zero, zero, zero, zero, zero, left, *[zero] * 13)
        print(json.dumps([get(left, 4).hex(), get(right, 5).decode()]))
    """
    assert run(libraries, "sim:1", program) == ["00000000", "right"]


def test_a_name_without_model_is_recorded_once(libraries: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = """
        sparse = ctypes.CDLL("libcusparse.so.12")
        print(json.dumps([sparse.cusparseGetNews(), sparse.cusparseGetNews()]))
    """
    assert run(libraries, "sim:1", program, log) == [0, 0]
    assert read_events(log).unmodelled == {"cusparseGetNews"}


def test_a_long_name_of_a_kernel_stays_one_line(libraries: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = """
        context()
        module, function = P(), P()
        cuda.cuModuleLoadData(ctypes.byref(module), b"no code at all" * 9)
        cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k" * 5000)
        cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, P(), P(), P())
        cuda.cuLaunchKernel(P(64), 1, 1, 1, 1, 1, 1, 0, P(), P(), P())
        print(1)
    """
    assert run(libraries, "sim:1", program, log) == 1
    assert read_events(log).opaque == {"k" * 1000, "(never registered)"}


def test_the_work_of_a_cuda_graph_is_given_when_it_is_launched(
    libraries: Path, tmp_path: Path
) -> None:
    program = """
        context()
        def made(call, *arguments):
            out = P()
            assert call(ctypes.byref(out), *arguments) == 0
            return out
        def function(name):
            module = made(cuda.cuModuleLoadData, b"no code at all" * 9)
            return made(cuda.cuModuleGetFunction, module, name)
        def launch(name):
            cuda.cuLaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, P(), P(), P())
        class Kernel(ctypes.Structure):
            _fields_ = [("function", P), ("size", ctypes.c_uint * 7), ("arguments", P)]
        class Node(ctypes.Structure):
            _fields_ = [("type", ctypes.c_int * 4), ("handle", ctypes.c_uint64),
                        ("kind", ctypes.c_int), ("count", ctypes.c_uint), ("graphs", P)]
        def kernel(name): return ctypes.byref(Kernel(function(name), (1,) * 7))
        cuda.cuStreamBeginCapture_v2(P(), 1)
        launch(b"captured")
        captured = P()
        assert cuda.cuStreamEndCapture(P(), ctypes.byref(captured)) == 0
        graph = made(cuda.cuGraphCreate, 0)
        first = made(cuda.cuGraphAddKernelNode_v2, graph, P(), S(0), kernel(b"first"))
        child = made(cuda.cuGraphAddChildGraphNode, graph, P(), S(0), captured)
        branches = Node((13,), count=2)
        made(cuda.cuGraphAddNode, graph, P(), S(0), ctypes.byref(branches))
        for at, name in enumerate((b"left", b"right")):
            inner = P(ctypes.cast(branches.graphs, ctypes.POINTER(P))[at])
            made(cuda.cuGraphAddKernelNode_v2, inner, P(), S(0), kernel(name))
        count = S(0)
        assert cuda.cuGraphGetNodes(graph, P(), ctypes.byref(count)) == 0
        executable = made(cuda.cuGraphInstantiateWithFlags, graph, ctypes.c_uint64(0))
        for _ in range(3):
            assert cuda.cuGraphLaunch(executable, P()) == 0
        cuda.cuGraphExecKernelNodeSetParams_v2(executable, first, kernel(b"other"))
        cuda.cuGraphExecChildGraphNodeSetParams(executable, child, made(cuda.cuGraphCreate, 0))
        for gone in (captured, graph):
            assert cuda.cuGraphDestroy(gone) == 0
        assert cuda.cuGraphLaunch(executable, P()) == 0
        assert cuda.cuGraphExecDestroy(executable) == 0
        launch(b"alone")
        print(count.value)
    """
    log = tmp_path / "log"
    assert run(libraries, "sim:1", program, log) == 3
    (work,) = read_events(log).work().values()
    counts = {name: count for name, (count, _) in work.items()}
    assert counts == {"captured": 3, "first": 3, "other": 1, "left": 4, "right": 4, "alone": 1}
