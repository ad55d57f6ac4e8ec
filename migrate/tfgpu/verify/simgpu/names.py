"""Which names libraries have, real and simulated, and what one without code of its own does.

TensorFlow's library holds the name of every CUDA function that it may look up. Those with a model
are written in `csrc/`; the rest are stubs of one of the kinds below, chosen by the first pattern
that matches. What matches nothing returns 0 and is written into the event log when it is called,
so that a verdict can say "not modelled".
"""

from __future__ import annotations

import mmap
import re
import struct
from dataclasses import dataclass
from pathlib import Path

# Names that TensorFlow opens with dlopen: stem -> versions ("" is the name without a number).
# More than one TensorFlow version needs; a name too many does no harm, a name too few makes
# TensorFlow run on the CPU without saying more than "Cannot dlopen some GPU libraries".
LIBRARIES: dict[str, tuple[str, ...]] = {
    "libcuda.so": ("", "1"),
    "libcudart.so": ("", "10.0", "11.0", "12"),
    "libcublas.so": ("", "10.0", "11", "12"),
    "libcublasLt.so": ("", "10", "11", "12"),
    "libcudnn.so": ("", "7", "8", "9"),
    "libcufft.so": ("", "10.0", "10", "11"),
    "libcurand.so": ("", "10.0", "10"),
    "libcusolver.so": ("", "10.0", "10", "11"),
    "libcusparse.so": ("", "10.0", "11", "12"),
    "libnccl.so": ("", "2"),
    "libnvidia-ml.so": ("", "1"),
    "libcupti.so": ("", "10.0", "11.2", "11.8", "12"),
}

_FAMILIES = (
    r"cu[A-Z]\w+|cuda[A-Z]\w+|__cuda\w+|cublas\w+|cudnn\w+|cufft\w+|curand\w+|cusolver\w+"
    r"|cusparse\w+|cupti\w+|nccl\w+|nvml\w+"
)
FAMILY = re.compile(_FAMILIES)
FAMILY_BYTES = _FAMILIES.encode()
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNSYM = 11


@dataclass(frozen=True, slots=True)
class Kind:
    """What a stub does: a kind of `csrc/stub.h`, the argument it writes through, a value."""

    name: str
    argument: int = 0
    value: int = 0


ACCEPT = Kind("STUB_ACCEPT")
COMPUTE = Kind("STUB_COMPUTE")
TEXT = Kind("STUB_TEXT")
UNMODELLED = Kind("STUB_UNMODELLED")


def _handle(argument: int = 0) -> Kind:
    return Kind("STUB_HANDLE", argument)


def _size(argument: int, bits: int = 64, value: int = 0) -> Kind:
    return Kind(f"STUB_OUT{bits}", argument, value)


# Patterns match whole names; the first match counts.
_KINDS: tuple[tuple[str, Kind], ...] = (
    # driver and runtime: handles
    (r"cu(da)?EventCreate(WithFlags)?", _handle()),
    (r"cu(da)?GraphAdd\w+Node\w*|cu(da)?GraphCreate|cu(da)?GraphInstantiate\w*", _handle()),
    (r"cu(da)?GraphClone|cu(da)?GraphConditionalHandleCreate|cu(da)?UserObjectCreate", _handle()),
    (r"cu(da)?StreamEndCapture", _handle(1)),
    (r"cuLinkCreate\w*", _handle(3)),
    # driver and runtime: nothing to do, because everything is done at once
    (r"cu(da)?(Stream|Event|Ctx|Device)(Synchronize|Query|Destroy|Record|WaitEvent)\w*", ACCEPT),
    (r"cu(da)?Event(Record|Destroy)\w*|cu(da)?StreamWaitEvent", ACCEPT),
    (r"cu(da)?(Ctx|Device)?(Enable|Disable)PeerAccess|cu(Ctx|Device)\w*PeerAccess", ACCEPT),
    (r"cudaDevice(Enable|Disable)PeerAccess|cuda(GetLastError|PeekAtLastError)", ACCEPT),
    (r"cu(da)?(Ctx|Device|Func|Thread|Kernel|Stream|MemPool|Mem)Set\w+", ACCEPT),
    (r"cu(da)?MemPool(Destroy|TrimTo)|cu(da)?MemAdvise\w*|cu(da)?MemPrefetch\w*", ACCEPT),
    (r"cuDevicePrimaryCtxSetFlags\w*|cuDeviceSetMemPool", ACCEPT),
    (r"cu(da)?(Mem)?HostRegister\w*|cu(da)?(Mem)?HostUnregister", ACCEPT),
    (r"cuModuleUnload|cuLibraryUnload|cuLink(AddData|AddFile|Destroy)\w*", ACCEPT),
    (r"cu(da)?Graph\w*(Destroy|Launch|Upload|SetParams|SetEnabled|SetAttribute)\w*", ACCEPT),
    (r"cu(da)?StreamBeginCapture\w*|cu(da)?ThreadExchangeStreamCaptureMode", ACCEPT),
    (r"cu(da)?Profiler\w+|__cuda(Register|Unregister)\w+", ACCEPT),
    (r"cudaMemcpyToSymbol\w*", ACCEPT),  # constants of kernels that never run
    # handles of the mathematical libraries
    (r"cufft(Create|Plan\w+)", _size(0, 32, 1)),
    (r"curandCreatePoissonDistribution\w*", _handle(1)),
    (r"cu(blas|solver|sparse|rand|dnn)\w*[Cc]reate(?!IdentityPerm|Plan)\w*", _handle()),
    # sizes of work spaces
    (r"cufftMakePlanMany(64)?", _size(11)),
    (r"cufftMakePlan[12]d", _size(4)),
    (r"cufftMakePlan3d", _size(5)),
    (r"cufftGetSize", _size(1)),
    (r"cusolverDn[SDCZ]potrf_bufferSize", _size(5, 32, 1)),
    (r"cusolverDn[SDCZ]getrf_bufferSize", _size(5, 32, 1)),
    (r"cusolverDn[SDCZ]geqrf_bufferSize", _size(5, 32, 1)),
    (r"cusolverDn[SDCZ](or|un)gqr_bufferSize", _size(7, 32, 1)),
    (r"cusolverDn[SDCZ](or|un)mqr_bufferSize", _size(11, 32, 1)),
    (r"cusolverDn[SDCZ](sy|he)evd_bufferSize", _size(7, 32, 1)),
    (r"cusolverDn[SDCZ](sy|he)evj_bufferSize", _size(7, 32, 1)),
    (r"cusolverDn[SDCZ]gesvd_bufferSize", _size(3, 32, 1)),
    (r"cusolverDn[SDCZ]gesvdj_bufferSize", _size(12, 32, 1)),
    (r"cusolverDn[SDCZ]gesvdjBatched_bufferSize", _size(11, 32, 1)),
    (r"cusparse[SDCZ]gtsv2(_nopivot)?_bufferSizeExt", _size(8)),
    (r"cusparse[SDCZ]gtsv2StridedBatch_bufferSizeExt", _size(8)),
    (r"cusparse[SDCZ]csrgeam2_bufferSizeExt", _size(19)),
    (r"cusparseSpMV_bufferSize", _size(9)),
    (r"cusparseSpMM_bufferSize", _size(10)),
    (r"cusparseCsr2cscEx2_bufferSize", _size(14)),
    (r"cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", _size(8)),
    (r"cudnnGetNormalizationForwardTrainingWorkspaceSize", _size(10)),
    (r"cudnnGetBatchNormalizationBackwardExWorkspaceSize", _size(10)),
    (r"cudnnGetBatchNormalizationTrainingExReserveSpaceSize", _size(5)),
    (r"cudnnGetConvolution(Forward|BackwardData|BackwardFilter)WorkspaceSize", _size(6)),
    (r"cudnnGetReduction(Workspace|Indices)Size(InBytes)?", _size(4)),
    (r"cudnnDropoutGet(States|ReserveSpace)Size", _size(1)),
    (r"cudnnGetTensorSizeInBytes|cudnnGetFilterSizeInBytes", _size(1)),
    (r"cudnnGetCTCLossWorkspaceSize_v8", _size(5)),
    (r"cudnnGetCTCLossWorkspaceSize", _size(8)),
    # small answers
    (r"cublasGet(PointerMode|MathMode|AtomicsMode)(_v2)?", _size(1, 32)),
    (r"cu(blas|dnn|solver\w*|sparse)Get(Stream|Workspace)(_v2)?", _size(1)),
    (r"cusolverGetVersion|curandGetVersion|cufftGetVersion", _size(0, 32, 12000)),
    (r"cusparseGetVersion", _size(1, 32, 12000)),
    (r"ncclCommGetAsyncError", _size(1, 32)),
    (r"ncclComm(Window)?Register", _handle(3)),
    (r"cu(blas|sparse|solver|fft|rand)\w*(Status|Error)(Name|String)|cusparseGetErrorString", TEXT),
    # NVML: "not supported" is the honest answer of what csrc/nvml.c does not have
    (r"nvml\w+", Kind("STUB_RETURN", 0, 3)),
    # CUPTI: a profile of nothing
    (r"cuptiSubscribe\w*", _handle()),
    (r"cuptiActivityGetNextRecord", Kind("STUB_RETURN", 0, 12)),
    (r"cuptiActivityGetNumDroppedRecords", _size(2)),
    (r"cuptiGetTimestamp", _size(0)),
    (r"cuptiGet(DeviceId|ContextId|GraphId|GraphNodeId)", _size(1, 32)),
    (r"cuptiGetStreamIdEx", _size(3, 32)),
    (r"cupti\w+", ACCEPT),
    # settings that change no result here
    (r"cu(blas|dnn|solver|sparse|fft|rand)\w*(Destroy|Set|_destroy)\w*", ACCEPT),
    (r"ncclGroup(Start|End)|ncclComm(Deregister|WindowDeregister|Finalize)", ACCEPT),
    # calculations
    (r"ncclAll\w+|ncclBroadcast|ncclBcast|ncclReduce\w*|ncclSend|ncclRecv", COMPUTE),
    (r"cufftExec\w+|curandGenerate\w+|cublasLtMatmul|cublasLtMatrixTransform", COMPUTE),
    (r"cublas[SDCZ]getrsBatched", _size(9, 32)),  # writes its status to the host
    (r"cublas(?!Get|Lt\w*Get)[A-Z]\w+", COMPUTE),
    (r"cusolver(?!\w*([Gg]et|[Ss]ize))\w+", COMPUTE),
    (r"cusparse(?!\w*([Gg]et|[Ss]ize|Plan))\w+", COMPUTE),
    (r"cudnn(?!\w*(Get|Query))\w+", COMPUTE),
)
_PATTERNS = tuple((re.compile(pattern), kind) for pattern, kind in _KINDS)


def kind_of(name: str) -> Kind:
    """Return what the stub of a name does."""
    if name.endswith(("_ptsz", "_ptds")):
        name = name[:-5]  # the same function on the thread's own stream
    for pattern, kind in _PATTERNS:
        if pattern.fullmatch(name):
            return kind
    return UNMODELLED


def stub_table(names: set[str]) -> str:
    """Return the C source of the stubs for these names."""
    lines = ['#include "stub.h"', ""]
    for name in sorted(names):
        kind = kind_of(name)
        lines.append(f"STUB({name}, {kind.name}, {kind.argument}, {kind.value})")
    return "\n".join(lines) + "\n"


class NotElf(ValueError):
    """The file is no 64-bit little-endian ELF file."""


def exported_names(path: Path) -> set[str]:
    """Return the names that a library defines in its dynamic symbol table."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:6] != b"\x7fELF\x02\x01":
            raise NotElf(f"{path} is no 64-bit little-endian ELF file")
        (offset,) = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        sections = [_SECTION.unpack_from(data, offset + i * size) for i in range(count)]
        names: set[str] = set()
        for section in sections:
            if section[1] == _DYNSYM:
                strings = sections[section[6]]
                table = data[strings[4] : strings[4] + strings[5]]
                symbols = data[section[4] : section[4] + section[5]]
                for name, _, _, place, _, _ in _SYMBOL.iter_unpack(symbols):
                    if place:
                        end = table.index(0, name)
                        names.add(table[name:end].decode("ascii", "replace"))
        return names


def text_names(path: Path, pattern: bytes) -> set[str]:
    """Return the zero-terminated texts of a file that match a regular expression as a whole."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = re.finditer(rb"(?<=\0)(?:" + pattern + rb")(?=\0)", data)
        return {match.group().decode() for match in found}
