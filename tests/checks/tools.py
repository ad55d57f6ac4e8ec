"""Hazards of one program, or of several files."""

from __future__ import annotations

from pathlib import Path

from tests.tools import RAW, analysed, source
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.results import Finding
from tfgpu.run import run

GPUS = 'gpus = tf.config.list_physical_devices("GPU")\n'


def hazards(text: str, head: str = RAW + GPUS) -> list[str]:
    """Return the names of the TFH and TFP rules that report a program, with their lines."""
    return [f"{item.name}:{item.line}" for item in found(text, head)]


def found(text: str, head: str = RAW + GPUS) -> list[Finding]:
    """Return what the TFH and TFP rules say about a program below its first three lines."""
    result = analysed(head + source(text))
    return [item for item in result.findings if item.code.startswith(("TFH", "TFP"))]


def of_files(folder: Path, **files: str) -> dict[str, list[Finding]]:
    """Return the findings of the files of a program, by module name; `__` is a folder."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(source(text))
    results = run([str(folder)], Job(Options(), rewrite=False), jobs=1)
    return {
        Path(result.path).relative_to(folder).as_posix().removesuffix(".py").replace("/", "__"): [
            item for item in result.findings if item.code.startswith("TFH")
        ]
        for result in results
    }
