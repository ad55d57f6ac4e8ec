"""All hazards of some files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from tfgpu.checks.building import building
from tfgpu.checks.kernels import without_kernel
from tfgpu.checks.late import (
    imported_starts,
    late_configs,
    late_imports,
    late_settings,
    without_gpus,
)
from tfgpu.checks.memory import (
    both_ways,
    one_grows,
    sessions_beside,
    wrong_devices,
    wrong_limits,
    wrong_values,
)
from tfgpu.checks.misspelt import misspelt, removed_names
from tfgpu.checks.pytorch import pytorch
from tfgpu.checks.ray import ray
from tfgpu.checks.report import Report
from tfgpu.checks.setters import setters
from tfgpu.checks.training import training
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.decide.starts import starts
from tfgpu.flow.collect import Analysis
from tfgpu.flow.named_gpus import Devices
from tfgpu.rulebook.book import Rulebook


class Hazards:
    """Finds hazards in files, each as a rule by name, a place, and the values for its message."""

    def __init__(self, analysis: Analysis, book: Rulebook) -> None:
        self._analysis = analysis
        self._book = book
        devices = Devices(analysis)
        self._order = UsualOrder(analysis, devices)
        self._setters = list(setters(analysis, devices))

    def find(self, started: Mapping[tuple[str, str], tuple[str, str]]) -> Iterator[Report]:
        """Yield every hazard; `started` are imports that initialise the runtime, and by what."""
        analysis, book, order, found = self._analysis, self._book, self._order, self._setters
        settable = found or analysis.facts.configs
        every = chain(starts(analysis, book), building(analysis, book)) if settable else ()
        first = [start for start in every if not without_gpus(start, found, order)]
        late = list(late_settings(found, first, order, analysis))
        yield from late
        yield from late_configs(first, order, analysis, book)
        known = {problem.node for problem in late}
        for problem in imported_starts(found, started, order, analysis):
            if problem.node not in known:
                yield problem
        yield from both_ways(found, order, analysis)
        yield from one_grows(found, analysis)
        yield from wrong_values(found, analysis)
        yield from wrong_devices(found, analysis)
        yield from wrong_limits(found, analysis)
        yield from sessions_beside(found, order, analysis, book)
        yield from without_kernel(order, analysis, book)
        yield from removed_names(analysis, book)
        yield from misspelt(analysis, book)
        yield from pytorch(order, analysis)
        yield from training(analysis, book)
        yield from ray(analysis)

    def early(self) -> dict[str, list[str]]:
        """Return the imports that come before settings which the GPUs must not be started for.

        They are dotted paths, by the path of the file that they stand in.
        """
        found: dict[str, dict[str, None]] = {}
        for item in late_imports(self._setters, self._order, self._analysis):
            path = self._analysis.tree.file(item.statement).path
            found.setdefault(path, {})[item.path] = None
        return {path: list(imports) for path, imports in found.items()}
