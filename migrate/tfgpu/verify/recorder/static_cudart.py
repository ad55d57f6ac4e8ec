"""Leads the CUDA runtime inside TensorFlow 1.15 to the simulated driver.

TensorFlow 1.15's libraries each hold a static copy of the CUDA runtime (10.0). Their kernels are
launched through that copy, so that no library name reaches them. It is private, but the wheel
still has the symbol table that says where each function is: `redirect`
writes a jump to the driver's function of the same name over the beginning of each of them, in the
memory of this process. The files stay as they are. NCCL's own functions, static as well, get the
same treatment: on TensorFlow 2.21 they are the driver's, too.

The kernels were made known to the static copy when the library was loaded, before anything could be
written. So the constructors that did it run once more, and the driver then knows which kernel a
launch means and what its parameters are: what the program reads back follows from that.

Plain Python 3.7 without other modules of this package: it runs beside TensorFlow 1.15.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# `libtensorflow_framework` has this name in TensorFlow 1 only.
_MARK = "libtensorflow_framework.so.1"
_LAUNCH = "cudaLaunchKernel"  # a library with a function of its own by this name has a static copy

# What is replaced: the runtime, how kernels are registered, NCCL. `__cudaRegisterLinkedBinary_...`
# and `__cudaUnregisterBinaryUtil` belong to the kernels' side and call these.
_REPLACED = re.compile(
    r"cuda[A-Z]\w*|nccl[A-Z]\w*"
    r"|__cuda(Push|Pop)CallConfiguration|__cudaInitModule"
    r"|__cuda(Register|Unregister)(FatBinary|FatBinaryEnd|Function|\w*Var|Surface|Texture)"
)
_CONSTRUCTOR = "_ZL24__sti____cudaRegisterAllv"  # nvcc's, one for each file with kernels
# Kernels that can call each other (NCCL's) are registered when the last of their files has come;
# a counter tells. It must begin at 0 again.
_LINKED = "__cudaRegisterLinkedBinary_"
_COUNTER = re.compile(r"_ZZL\d+__cudaRegisterLinkedBinary\w+E3__i")

_JUMP = struct.Struct("<2sQ2s")  # mov rax, address; jmp rax
_ELF = b"\x7fELF\x02\x01"
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _LOAD = 2, 1
_OBJECT, _FUNCTION = 1, 2
_PREFIXES = (b"cuda", b"nccl", b"__cu", b"_ZL2", b"_ZZL")
_READ_WRITE_EXECUTE, _READ_EXECUTE = 7, 5


class StaticRuntimeError(RuntimeError):
    """The static CUDA runtime is not as expected; nothing was changed in that library."""


class Symbol(NamedTuple):
    """A private function or variable of a library: address and size in bytes."""

    name: str
    address: int
    size: int
    function: bool


class Library(NamedTuple):
    """What is needed of a library's file."""

    path: Path
    symbols: list[Symbol]
    code: dict[str, bytes]  # the first bytes of each function that is replaced


def redirect(tensorflow_folder: str, driver: str) -> int:
    """Lead the static CUDA runtime of the loaded TensorFlow 1 to a driver; count the functions.

    `tensorflow_folder` is the folder of the imported package, `driver` the simulated driver's
    shared object. Call it after `import tensorflow`, before any GPU is used; call it again when
    more of TensorFlow's libraries were loaded (`tf.contrib`): those that were done are left alone.
    Without a static runtime, as in TensorFlow 2 and in builds for the CPU, nothing is done.

    Raises:
        StaticRuntimeError: something is not as expected; it says what.
    """
    folder = _core(Path(tensorflow_folder))
    if not (folder / _MARK).is_file():
        return 0
    loaded = [(path, base) for path, base in _loaded() if _inside(path, folder)]
    if not loaded:
        raise StaticRuntimeError(f"no library of {folder} is loaded: import tensorflow first")
    target: ctypes.CDLL | None = None
    count = 0
    for path, base in loaded:
        library = _read(path)
        if library is None:
            continue
        if target is None:
            target = _open(driver)
        count += _redirect_library(library, base, target)
    return count


def _core(folder: Path) -> Path:
    """Return the folder with the libraries: 1.15's `tensorflow` only imports another one."""
    core = folder.parent / "tensorflow_core"
    return core if not (folder / _MARK).is_file() and core.is_dir() else folder


def _inside(path: Path, folder: Path) -> bool:
    return str(path).startswith(f"{folder.resolve()}{os.sep}")


def _open(driver: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(driver)
    except OSError as error:
        raise StaticRuntimeError(f"the simulated driver cannot be loaded: {error}") from error


def _loaded() -> Iterator[tuple[Path, int]]:
    """Yield each loaded library with the address of the file's first byte."""
    seen = set()
    for line in Path("/proc/self/maps").read_text().splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and int(fields[2], 16) == 0 and fields[5] not in seen:
            seen.add(fields[5])
            yield Path(fields[5]), int(fields[0].split("-")[0], 16)


def _read(path: Path) -> Library | None:
    """Read a library with a static CUDA runtime; None for another file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if file.read(6) != _ELF:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read_elf(path, data)


def _read_elf(path: Path, data: mmap.mmap) -> Library | None:
    sections = _table(data, _SECTION, offset_at=40, size_at=58)
    symbols = [symbol for section in sections for symbol in _locals(data, sections, section)]
    if not any(section[1] == _SYMTAB for section in sections):
        if data.find(b"\0.nv_fatbin\0") >= 0:
            raise StaticRuntimeError(
                f"{path} holds kernels and no symbol table (was it stripped?), so that its CUDA "
                "runtime cannot be found"
            )
        return None
    if not any(symbol.name == _LAUNCH and symbol.function for symbol in symbols):
        return None
    segments = [s for s in _table(data, _SEGMENT, offset_at=32, size_at=54) if s[0] == _LOAD]
    code = {}
    for symbol in symbols:
        if symbol.function and _REPLACED.fullmatch(symbol.name):
            if symbol.size < _JUMP.size:
                raise StaticRuntimeError(
                    f"{path}: {symbol.name} has {symbol.size} bytes, a jump needs {_JUMP.size}"
                )
            at = _offset(path, segments, symbol)
            code[symbol.name] = data[at : at + _JUMP.size]
    return Library(path, symbols, code)


def _table(
    data: mmap.mmap, entry: struct.Struct, offset_at: int, size_at: int
) -> list[tuple[int, ...]]:
    """Return the section or segment table; the ELF header says where it is."""
    (offset,) = struct.unpack_from("<Q", data, offset_at)
    size, count = struct.unpack_from("<HH", data, size_at)
    return [entry.unpack_from(data, offset + i * size) for i in range(count)]


def _locals(
    data: mmap.mmap,
    sections: list[tuple[int, ...]],
    section: tuple[int, ...],
) -> Iterator[Symbol]:
    """Yield the private symbols of one section whose names may matter."""
    if section[1] != _SYMTAB:
        return
    strings = sections[section[6]][4]
    private = data[section[4] : section[4] + section[7] * _SYMBOL.size]  # these come first
    for name_at, info, _, place, address, size in _SYMBOL.iter_unpack(private):
        at = strings + name_at
        if place and info & 15 in (_OBJECT, _FUNCTION) and data[at : at + 4] in _PREFIXES:
            name = data[at : data.find(b"\0", at)].decode("ascii", "replace")
            yield Symbol(name, address, size, info & 15 == _FUNCTION)


def _offset(path: Path, segments: list[tuple[int, ...]], symbol: Symbol) -> int:
    """Return where in the file a function is."""
    for _, _, offset, address, _, file_size, _, _ in segments:
        if address <= symbol.address < address + file_size:
            return symbol.address - address + offset
    raise StaticRuntimeError(f"{path}: {symbol.name} is in no part that is loaded")


def _redirect_library(library: Library, base: int, driver: ctypes.CDLL) -> int:
    """Check everything, then write the jumps and register the kernels again."""
    functions = [symbol for symbol in library.symbols if symbol.name in library.code]
    jumps = {}
    for symbol in functions:
        jumps[base + symbol.address] = _jump(library, symbol, driver)
    now = {address: ctypes.string_at(address, _JUMP.size) for address in jumps}
    if now == jumps:
        return 0
    for symbol in functions:
        if now[base + symbol.address] != library.code[symbol.name]:
            raise StaticRuntimeError(
                f"{library.path}: {symbol.name} in memory is not what the file says"
            )
    counter = _counter(library, base)
    for address, jump in jumps.items():
        _write(library, address, jump)
    if counter is not None:
        counter.value = 0
    for symbol in library.symbols:
        if symbol.function and symbol.name == _CONSTRUCTOR:
            ctypes.CFUNCTYPE(None)(base + symbol.address)()
    return len(jumps)


def _jump(library: Library, symbol: Symbol, driver: ctypes.CDLL) -> bytes:
    try:
        function = getattr(driver, symbol.name)
    except AttributeError:
        raise StaticRuntimeError(
            f"{library.path}: the simulated driver has no {symbol.name}; was it built for another "
            "TensorFlow?"
        ) from None
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return _JUMP.pack(b"\x48\xb8", address, b"\xff\xe0")


def _counter(library: Library, base: int) -> ctypes.c_int | None:
    """Return the counter of files with linked kernels; None where there are no such files."""
    files = sum(s.function and s.name.startswith(_LINKED) for s in library.symbols)
    counters = [s for s in library.symbols if _COUNTER.fullmatch(s.name) and not s.function]
    if not files and not counters:
        return None
    if len(counters) != 1 or counters[0].size != ctypes.sizeof(ctypes.c_int):
        raise StaticRuntimeError(f"{library.path}: there is no single counter of linked kernels")
    counter = ctypes.c_int.from_address(base + counters[0].address)
    if counter.value != files:
        raise StaticRuntimeError(
            f"{library.path}: {counter.value} of {files} files with linked kernels were registered"
        )
    return counter


def _write(library: Library, address: int, code: bytes) -> None:
    first = address // mmap.PAGESIZE * mmap.PAGESIZE
    size = address + len(code) - first
    _protect(library, first, size, _READ_WRITE_EXECUTE)
    ctypes.memmove(address, code, len(code))
    _protect(library, first, size, _READ_EXECUTE)


def _protect(library: Library, address: int, size: int, access: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), access):
        reason = os.strerror(ctypes.get_errno())
        raise StaticRuntimeError(f"{library.path}: the system keeps its code as it is: {reason}")
