"""What skipped and computed kernels leave of the bytes on the device, through ctypes and PTX."""

from pathlib import Path

from tests.verify.driver import run

# Launches a kernel of a name with 8-byte parameters, or of the sizes that are given.
LAUNCH = """
context()
I32 = ctypes.c_int32
def launch(name, values, sizes=None):
    sizes = sizes or [8] * len(values)
    params = ", ".join(f".param .align 8 .b8 p{i}[{size}]" for i, size in enumerate(sizes))
    module, kernel = P(), P()
    text = f".version 7.0\\n.entry {name}({params}) {{ }}".encode()
    assert cuda.cuModuleLoadData(ctypes.byref(module), text) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(kernel), module, name.encode()) == 0
    pointers = (P * len(values))(*[ctypes.addressof(value) for value in values])
    assert cuda.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, P(), pointers, P()) == 0
def filled(*numbers):
    at = alloc(4096)[1]
    put(at, b"".join(bytes(I32(number)) for number in numbers))
    return at
def numbers(at, count):
    return list((I32 * count).from_buffer_copy(get(at, 4 * count)))
class Indices(ctypes.Structure):
    _fields_ = [("count", I32), ("items", I32 * 8), ("more", P)]
class Data(ctypes.Structure):
    _fields_ = [("count", I32), ("items", P * 8), ("more", P)]
def stitch(indices, data, slice=1, more=None):
    out = filled(*[9] * 16)
    first = Indices(len(indices), (I32 * 8)(*indices[:8]), more)
    second = Data(len(data), (P * 8)(*data), None)
    values = [I32(slice), I32(len(indices) * slice), first, second, out]
    name = "_ZN10tensorflow19DynamicStitchKernelIiEEviiNS_20GpuDeviceArrayStructE"
    launch(name, values, [4, 4, ctypes.sizeof(first), ctypes.sizeof(second), 8])
    return numbers(out, len(indices) * slice)
"""


def test_a_pointer_to_const_spoils_nothing(libraries: Path) -> None:
    program = """
        left, right, out = filled(5), filled(6), filled(7)
        launch("_ZN10tensorflow14GatherOpKernelIfiLb1EEEvPKT_PKT0_PS3_l", [left, right, out, P(3)])
        print(json.dumps([numbers(at, 1)[0] for at in (left, right, out)]))
    """
    assert run(libraries, "sim:1", with_launch(program)) == [5, 6, 0]


def test_names_that_are_not_understood_spoil(libraries: Path) -> None:
    # Not C++; another number of parameters than the kernel has; a type that is not simple.
    program = """
        seen = []
        for name in ("PKf", "_Z4workIfEvPKT_PKT_", "_Z4workIfEvPKN5Eigen4halfE"):
            at = filled(5)
            launch(name, [at])
            seen += numbers(at, 1)
        print(json.dumps(seen))
    """
    assert run(libraries, "sim:1", with_launch(program)) == [0, 0, 0]


def test_shapes_are_stitched(libraries: Path) -> None:
    program = """
        shape, one, spoilt = filled(16, 2), filled(1), alloc(4096)[1]
        part = P(shape.value + 4)
        many = filled(*[1] * 9)
        print(json.dumps([
            stitch([0, 2], [shape, part, one]),
            stitch([1, 0], [shape, shape], slice=2),
            stitch([1] * 9, [shape, one], more=many),
            stitch([0, 1], [shape, spoilt]),
            stitch([0, -1], [filled(1), filled(2)]),
        ]))
    """
    assert run(libraries, "sim:1", with_launch(program)) == [
        [16, 1],
        [16, 2, 16, 2],
        [1] * 9,  # from indices on the device
        [0, 0],  # an input is not known
        [0, 0],  # a place that no input fills
    ]


def with_launch(program: str) -> str:
    return "\n".join(line.removeprefix(" " * 8) for line in (LAUNCH + program).splitlines())
