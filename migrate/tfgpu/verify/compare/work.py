"""Compares two forms of a program by what their steps consist of.

A session's graph, a function, eager code and a Keras model name the same operations differently,
and make others around them. What they share is the work: operations of a type, with their shapes,
on their devices, in the order of their making; and the variables. Each run of a session and each
function is a step; eager code has done each of its steps a whole number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

from tfgpu.verify.compare.runs import added_runs, differing_runs
from tfgpu.verify.observation import Item, Observation, Runs
from tfgpu.verify.verdict import Entry, Outcome

# Roles that the recorder gives.
_OWN, _GRADIENT, _UPDATE, _RANDOM, _UNKNOWN = "", "gradient", "update", "random", "unknown"

_VARIABLES = {"VariableV2", "Variable", "VarHandleOp"}
_HEAVY = re.compile(
    r".*MatMul|.*Conv[23]D|DepthwiseConv|.*Pool(ing)?|FusedBatchNorm|Einsum|.*(RNN|LSTM|GRU)|"
    r"Gather|Cholesky|Svd|Qr$|MatrixInverse|.*FFT|LRN|.*SoftmaxCrossEntropy|CTC"
)
_GRADIENT_OF_INPUT = re.compile(r".*BackpropInput$")
# The same work is spelled with others of these: a loss, a step of an optimizer, a mean.
_ARITHMETIC = {
    *("Add", "AddN", "Sub", "Mul", "Div", "DivNoNan", "Neg", "Square", "SquaredDifference"),
    *("Sqrt", "Rsqrt", "Pow", "Mean", "Sum", "Maximum", "Minimum", "Reciprocal", "L2Loss", "Cast"),
    *("MulNoNan", "FloorDiv", "Abs"),
}
# Made around the same work in other places by graphs, functions, eager code and Keras.
_BOOKKEEPING = re.compile(
    r"(Assign|Ref)?(Switch|Merge|Enter|Exit|NextIteration|LoopCond)$|Assign|.*Assign\w*Variable|"
    r"Fill$|Shape|Rank$|Size$|Reshape$|ExpandDims$|Squeeze$|Pack$|Range$|BroadcastArgs|"
    r"BroadcastGradientArgs|(Zeros|Ones)Like$|StopGradient$|PreventGradient$|Snapshot$|"
    r"PlaceholderWithDefault$|VarIsInitialized|IsVariableInitialized|DestroyResource|Print|Assert|"
    r".*Iterator|.*Dataset|Queue|.*Queue|.*Summary|Restore|Save|Merge|Stateless(Random|Truncated|"
    r"Parameterized)|Random|TruncatedNormal|ParameterizedTruncated|Multinomial|Copy|CheckNumerics|"
    r"Rng|StringFormat|ReadVariable|_Var|Unpack$|BroadcastTo$|Tile$|DeepCopy|Disable"
)
_CHANGES = re.compile(r"Assign(Add|Sub)?|(Resource)?Scatter")
_APPLIES = re.compile(r"(Resource)?(Sparse)?Apply")
_SPELLING = re.compile(r"^_Fused|V\d+$")
_SAME = {
    **{"BiasAdd": "Add", "RealDiv": "Div", "ResourceGather": "Gather", "GatherNd": "Gather"},
    # The rate is in the sum of the one, and beside that of the other.
    **{"ResourceApplyKerasMomentum": "ResourceApplyMomentum"},
}
_SHAPE = re.compile(r"(\w+)\[([^\]]*)\]")
_FLOAT = re.compile(r"(b?float|half|double|complex)\w*\[")
_WHOLE = re.compile(r"u?int\d+\[[^\]]")
_DRAWS = re.compile(r"Random|Truncated|Multinomial")
_FORMS = re.compile(r"\?|\*")

Key = tuple[str, str]
"""Type and shapes of operations."""
Bag = Counter[tuple[Key, str]]
"""How many operations of a key are on a device."""

_SWAPPED = "the devices come in another order: are two of them swapped?"

# Shapes of one operation that are tried in any order.
_MOST_IN_ANY_ORDER = 5

# So many times one step is tried, where eager code did several kinds of steps.
_MOST_TIMES = 5_000


def _kind(name: str) -> str:
    plain = _SPELLING.sub("", name)
    return _SAME.get(plain, plain)


@dataclass(frozen=True)  # without slots, for the cached properties
class _Work:
    """A step, taken apart by what its operations are for."""

    title: str
    items: Sequence[tuple[Key, Item]]
    order: Sequence[int]
    eager: bool
    weights: frozenset[str]
    assigns: bool = True  # whether a plain assignment says something
    runs: Runs | None = None

    def _of(self, role: str) -> Iterator[tuple[Key, Item]]:
        for key, item in self.items:
            if item.role == role and not self._is_left_out(item):
                yield key, item

    def _is_left_out(self, item: Item) -> bool:
        return (
            item.kind in _VARIABLES
            or bool(_BOOKKEEPING.match(item.kind))
            or not _FLOAT.search(item.shapes)
        )

    def _updates(self, key: Key, item: Item) -> bool:
        """Tell whether an operation works on weights alone, as an optimizer does."""
        sizes = [size for size in _SHAPE.findall(item.shapes) if size[1]]
        return (
            key[0] in _ARITHMETIC
            and bool(sizes)
            and all(f"{kind}[{size}]" in self.weights for kind, size in sizes if kind[0] != "i")
        )

    @cached_property
    def own(self) -> Bag:
        """The program's own operations, but for those on weights alone."""
        return _bag((key, one) for key, one in self._of(_OWN) if not self._updates(key, one))

    @cached_property
    def heavy_gradients(self) -> Bag:
        """The products, convolutions and the like of gradients."""
        return _bag((key, one) for key, one in self._of(_GRADIENT) if _HEAVY.match(key[0]))

    @cached_property
    def updated(self) -> frozenset[tuple[str, str]]:
        """Device and shape of all that is computed with weights alone."""
        found = [one for _, one in self._of(_UPDATE)]
        found += [one for key, one in self._of(_OWN) if self._updates(key, one)]
        found += [one for _, one in self.items if self._assigns(one)]
        return frozenset(
            (one.device, f"{kind}[{size}]")
            for one in found
            for kind, size in _SHAPE.findall(one.shapes)
            if f"{kind}[{size}]" in self.weights
        )

    @cached_property
    def counters(self) -> Counter[str]:
        """How often single numbers of the program's own are counted up or down."""
        found: Counter[str] = Counter()
        for _, item in self.items:
            shapes = {f"{kind}[{size}]" for kind, size in _SHAPE.findall(item.shapes)}
            change = _CHANGES.match(item.kind)
            single = {one for one in shapes & self.weights if one.endswith("[]")}
            if item.role == _OWN and change and change.group() != "Assign":
                for shape in single:
                    found[shape] += item.count
        return found

    def _assigns(self, item: Item) -> bool:
        """Tell whether an operation changes a variable; eager code gives each its first value."""
        change = _CHANGES.match(item.kind)
        if change is None or item.role not in (_OWN, _UPDATE):
            return False
        return self.assigns or change.group() != "Assign"

    @cached_property
    def gradient_devices(self) -> frozenset[str]:
        """Where gradients are computed, but for single numbers."""
        return frozenset(
            one.device
            for _, one in self._of(_GRADIENT)
            if any(size for kind, size in _SHAPE.findall(one.shapes) if kind[0] not in "iub")
        )

    @cached_property
    def aside(self) -> dict[str, set[str]]:
        """Where random numbers of a shape are drawn, and types of operations on whole numbers."""
        found: dict[str, set[str]] = {}
        for key, item in self.items:
            if item.role == _RANDOM and _DRAWS.search(item.kind):
                shape = item.shapes.partition(">")[2]
                found.setdefault(f"random numbers {shape}", set()).add(item.device)
            elif self._is_on_whole_numbers(item):
                found.setdefault(_name(key), set()).add(item.device)
        return found

    def _is_on_whole_numbers(self, item: Item) -> bool:
        return (
            item.role == _OWN
            and item.kind not in _VARIABLES
            and not _BOOKKEEPING.match(item.kind)
            and not _FLOAT.search(item.shapes)
            and bool(_WHOLE.search(item.shapes))
        )

    @cached_property
    def essence(self) -> Bag:
        """What has to be the same in all forms."""
        return Counter(
            {
                one: count
                for one, count in (self.own + self.heavy_gradients).items()
                if one[0][0] not in _ARITHMETIC and not _GRADIENT_OF_INPUT.match(one[0][0])
            }
        )

    @property
    def shape(self) -> Counter[Key]:
        """The essence without devices."""
        return _without_devices(self.essence)

    @property
    def is_nothing(self) -> bool:
        return not self.own and not self.heavy_gradients and not self.updated

    @cached_property
    def sequences(self) -> dict[Key, list[str]]:
        """The devices of its operations and their gradients, by key, in the order of their making.

        Of gradients only products, convolutions and the like.
        """
        found: dict[Key, list[str]] = {}
        chosen = {id(one) for key, one in self._of(_OWN) if not self._updates(key, one)}
        chosen |= {id(one) for key, one in self._of(_GRADIENT) if _HEAVY.match(key[0])}
        for index in self.order or range(len(self.items)):
            key, item = self.items[index]
            if id(item) in chosen:
                found.setdefault(key, []).append(item.device)
        return found

    @property
    def unknown(self) -> list[str]:
        return [item.kind for _, item in self.items if item.role == _UNKNOWN]


def _bag(items: Iterable[tuple[Key, Item]]) -> Bag:
    found: Bag = Counter()
    for key, item in items:
        found[key, item.device] += item.count
    return found


def _without_devices(bag: Bag) -> Counter[Key]:
    found: Counter[Key] = Counter()
    for (key, _), count in bag.items():
        found[key] += count
    return found


def compare_work(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what two forms of a program have in common, and what not."""
    left, right = _steps(before, after)
    unknown = [kind for one in (*left, *right) for kind in one.unknown]
    if unknown:
        reason = f"what {unknown[0]} consists of could not be read"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
        return
    yield from _variables(before, after)
    lost = [_name(key) for one in (*left, *right) for key, device in one.own if not device]
    if lost:
        reason = f"where {lost[0]} ran could not be read"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
    if not (_total(left) or _total(right)):
        reason = "neither side shows an operation that has to be the same in both forms"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
        return
    kinds = [
        {_plain(item.kind) for one in side for _, item in one.items if _APPLIES.match(item.kind)}
        for side in (left, right)
    ]
    if all(kinds) and kinds[0] != kinds[1]:
        texts = ", ".join(sorted(kinds[0])), ", ".join(sorted(kinds[1]))
        yield Entry("optimizer", Outcome.MISMATCH, *texts, "another optimizer", form=True)
    yield from _compared(left, right)
    yield from _beside(before, after)


def _plain(kind: str) -> str:
    return _kind(kind).removeprefix("Resource").replace("SparseApply", "Apply")


def _beside(before: Observation, after: Observation) -> Iterator[Entry]:
    """Compare what forms need not have in common, where both sides have it."""
    keys = _keys(before, after)
    left, right = (_aside(_all_works(leg, keys)) for leg in (before, after))
    for name in sorted(left.keys() & right.keys()):
        if left[name] != right[name]:
            texts = ", ".join(sorted(left[name])), ", ".join(sorted(right[name]))
            yield Entry(name, Outcome.INCONCLUSIVE, *texts, "on other devices")


def _aside(works: Sequence[_Work]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in works:
        for name, devices in one.aside.items():
            found.setdefault(name, set()).update(devices)
    return found


def compare_shapes(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield operations that have other shapes, where both sides have the same names."""
    keys = _keys(before, after)
    left, right = (
        sum(
            (_without_devices(one.own + one.heavy_gradients) for one in _works(leg, keys)),
            Counter(),
        )
        for leg in (before, after)
    )
    for kind in sorted({kind for kind, _ in (left - right) + (right - left)}):
        rows = [
            {shapes: count for (name, shapes), count in (one - other).items() if name == kind}
            for one, other in ((left, right), (right, left))
        ]
        texts = [", ".join(f"{n} of {shapes}" for shapes, n in row.items()) for row in rows]
        if all(rows) and sum(rows[0].values()) == sum(rows[1].values()):
            reason = "other shapes on one side"
            yield Entry(f"shapes of {kind}", Outcome.MISMATCH, texts[0], texts[1], reason)


# --- taking steps apart ---


def _steps(before: Observation, after: Observation) -> tuple[list[_Work], list[_Work]]:
    keys = _keys(before, after)
    return _works(before, keys), _works(after, keys)


def _works(leg: Observation, keys: Mapping[Key, Key]) -> list[_Work]:
    return [one for one in _all_works(leg, keys) if one.unknown or not one.is_nothing]


def _all_works(leg: Observation, keys: Mapping[Key, Key]) -> list[_Work]:
    weights = frozenset(
        item.shapes
        for step in leg.work
        for item in step.items
        if item.kind in _VARIABLES
        if item.role == _OWN or not item.shapes.endswith("[]")
    )
    return [
        _Work(
            step.title,
            [(keys[_key(one)], one) for one in step.items],
            step.order,
            step.eager,
            weights,
            assigns=not step.eager,
            runs=step.runs,
        )
        for step in leg.work
    ]


def _key(item: Item) -> Key:
    """Return type and shapes of an operation: of what does the work, those of matrices only."""
    kind = _kind(item.kind)
    inputs = _SHAPE.findall(item.shapes.partition(">")[0])
    outputs = _SHAPE.findall(item.shapes.partition(">")[2])
    numbers = [one for one in inputs if not one[0].startswith(("int", "uint", "bool"))]
    if _HEAVY.match(kind) and kind != "Gather":
        known = [one for one in numbers if "," in one[1]]
        chosen = known or [one for one in numbers if one[1] == "*"]
    elif kind == "Gather":
        chosen = outputs[:1]
    else:
        chosen = [*sorted(numbers), *outputs[:1]]
    return kind, " ".join(f"{name}[{size}]" for name, size in chosen)


def _keys(before: Observation, after: Observation) -> dict[Key, Key]:
    """Return for each key the one that stands for it: sizes that one side leaves open are alike."""
    found: dict[Key, Key] = {}
    by_kind: dict[str, list[Key]] = {}
    for leg in (before, after):
        for step in leg.work:
            for item in step.items:
                key = _key(item)
                if key not in found:
                    found[key] = key
                    by_kind.setdefault(key[0], []).append(key)
    for keys in by_kind.values():
        opened = [key for key in keys if _FORMS.search(key[1])]
        for one in opened:
            for other in keys:
                if other != one and _fits(one[1], other[1]):
                    old, new = found[other], found[one]
                    found.update({key: new for key in keys if found[key] == old})
    return found


def _fits(mine: str, theirs: str) -> bool:
    """Tell whether shapes, in any order, are the same where both sides know their sizes."""
    left, right = mine.split(), theirs.split()
    if len(left) != len(right):
        return False
    # An open size is sorted elsewhere than a number.
    orders = permutations(right) if len(right) <= _MOST_IN_ANY_ORDER else [right]
    return any(all(map(_fit, left, order)) for order in orders)


def _fit(mine: str, theirs: str) -> bool:
    (kind, size), (other, size2) = _SHAPE.findall(mine)[0], _SHAPE.findall(theirs)[0]
    if kind != other or "*" in (size, size2):
        return bool(kind == other)
    left, right = (each.split(",") if each else [] for each in (size, size2))
    return len(left) == len(right) and all(
        one == two or "?" in (one, two) for one, two in zip(left, right, strict=True)
    )


def _total(works: Sequence[_Work]) -> Bag:
    return sum((one.own for one in works), Counter())


# --- variables ---


def _variables(before: Observation, after: Observation) -> Iterator[Entry]:
    left, right = _made(before), _made(after)
    for of_optimizer, shapes in sorted(left.keys() | right.keys()):
        mine, theirs = (side.get((of_optimizer, shapes), []) for side in (left, right))
        texts = _counted(Counter(mine)), _counted(Counter(theirs))
        subject = f"variables {shapes}{' of the optimizer' if of_optimizer else ''}"
        outcome, reason, form = Outcome.MATCH, "", False
        if Counter(mine) == Counter(theirs):
            if mine != theirs and not of_optimizer:
                outcome = Outcome.INCONCLUSIVE
                reason = "these devices get them in another order: are two of them swapped?"
        elif len(mine) == len(theirs):
            outcome, reason = Outcome.MISMATCH, "as many variables, on other devices"
        elif shapes.endswith("[]"):
            outcome, reason = _count_of_steps(mine, theirs, before, after)
        else:
            outcome = Outcome.MISMATCH
            reason = f"{_number(mine)} of them before, {_number(theirs)} after"
            reason += ": another optimizer, or another form of it" if of_optimizer else ""
            form = of_optimizer and not (mine and theirs)
        yield Entry(subject, outcome, *texts, reason, form=form)


def _number(devices: Sequence[str]) -> str:
    return str(len(devices) or "none")


def _count_of_steps(
    mine: Sequence[str], theirs: Sequence[str], before: Observation, after: Observation
) -> tuple[Outcome, str]:
    """Judge a single number that only one side has as a variable of the program's own."""
    fewer = before if len(mine) < len(theirs) else after
    if any(
        item.kind in _VARIABLES and item.role == _UPDATE and item.shapes.endswith("[]")
        for step in fewer.work
        for item in step.items
    ):
        return Outcome.IGNORED, "an optimizer of one side keeps such numbers itself"
    return Outcome.INCONCLUSIVE, "one side keeps another number of single numbers"


def _made(leg: Observation) -> dict[tuple[bool, str], list[str]]:
    """Return the devices of variables in the order of their making, those of an optimizer apart.

    What the library keeps for itself (sums of a metric, the steps of an optimizer) is left out.
    """
    found: dict[tuple[bool, str], list[str]] = {}
    for step in leg.work:
        for item in step.items:
            if item.kind not in _VARIABLES or item.role in ("metric", "data", "random"):
                continue
            of_optimizer = item.role == _UPDATE
            if of_optimizer and item.shapes.endswith("[]"):
                continue
            found.setdefault((of_optimizer, item.shapes), []).extend([item.device] * item.count)
    return found


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} on {device}" for device, number in sorted(counts.items())) or "none"


# --- steps ---


def _compared(left: Sequence[_Work], right: Sequence[_Work]) -> Iterator[Entry]:
    mine, theirs = _distinct(left), _distinct(right)
    pairs, swapped = _paired(mine, theirs)
    for one, other in swapped:
        yield from _difference(one, other)
    for one, other in pairs:
        yield from _pair(one, other)
        yield from _in_turn([one], [other])
        if one.runs and other.runs:
            yield from _run_as_often(one, one.runs, other.runs)
    done = [work for pair in (*pairs, *swapped) for work in pair]
    rest = [one for one in mine if not _is_in(one, done)]
    others = [one for one in theirs if not _is_in(one, done)]
    yield from _unpaired(rest, others)


def _unpaired(mine: Sequence[_Work], theirs: Sequence[_Work]) -> Iterator[Entry]:
    """Compare the steps that have no like, and what eager code did of all steps together."""
    left, right = ([one for one in side if one.essence] for side in (mine, theirs))
    slight = [[one for one in side if not one.essence] for side in (mine, theirs)]
    if left and right:
        times = _solved(left, right)
        if times is None:
            yield from _unlike(left, right)
        else:
            # What initializes weights is part of eager code, and a step of its own in a session.
            yield from _pair(
                _merged([*left, *slight[0]], times[0]), _merged([*right, *slight[1]], times[1])
            )
            yield from _in_turn(left, right)
            yield from _done_as_often(left, times[0], eager=any(one.eager for one in right))
            yield from _done_as_often(right, times[1], eager=any(one.eager for one in left))
            return
    for side, works in (("before", left), ("after", right)):
        if bool(left) != bool(right):
            for one in works:
                texts = _summary(one.essence), "did not run"
                reason = f"only the program {side} has this step"
                yield Entry(
                    "step",
                    Outcome.MISMATCH if not one.eager else Outcome.INCONCLUSIVE,
                    *(texts if side == "before" else texts[::-1]),
                    reason,
                    graph=_title(one),
                )
    yield from _slight(*slight)


def _run_as_often(work: _Work, left: Runs, right: Runs) -> Iterator[Entry]:
    texts = differing_runs(left, right)
    if texts:
        reason = "this step runs more often on one side"
        yield Entry("runs", Outcome.INCONCLUSIVE, *texts, reason, graph=_title(work))


def _done_as_often(works: Sequence[_Work], times: Sequence[int], eager: bool) -> Iterator[Entry]:
    """Compare the runs of steps with how often eager code did each, where only that explains it."""
    for work, number in zip(works, times, strict=True):
        others = sum((one.essence for one in works if one is not work), Counter())
        if eager and work.runs and any(key not in others for key in work.essence):
            yield from _run_as_often(work, work.runs, Runs("eager code", number, more=False))


def _slight(mine: Sequence[_Work], theirs: Sequence[_Work]) -> Iterator[Entry]:
    """Compare steps of sums and the like alone: what initializes weights, what joins results."""
    left, right = (sum((one.own for one in side), Counter()) for side in (mine, theirs))
    if left or right:
        both = [*mine, *theirs]
        yield from _spelled(left - right, right - left, _title(both[0]))


def _solved(left: Sequence[_Work], right: Sequence[_Work]) -> tuple[list[int], list[int]] | None:
    """Return how often each step was done, so that both sides did the same; None where not so."""
    eager = any(one.eager for one in left), any(one.eager for one in right)
    total = [sum((one.essence for one in side), Counter()) for side in (left, right)]
    ones = [1] * len(left), [1] * len(right)
    if total[0] == total[1]:
        return ones
    if eager[1] and not eager[0] and (times := _times([one.essence for one in left], total[1])):
        return times, ones[1]
    if eager[0] and not eager[1] and (times := _times([one.essence for one in right], total[0])):
        return ones[0], times
    if all(eager) and len(left) == len(right) == 1:
        if times := _times([total[0]], total[1]):
            return times, ones[1]
        if times := _times([total[1]], total[0]):
            return ones[0], times
    return None


def _times(steps: Sequence[Bag], total: Bag) -> list[int] | None:
    """Return how often each step is in a total, None where the total is not made of them."""
    if not steps:
        return None if total else []
    for key in sorted(total, key=str):
        having = [index for index, step in enumerate(steps) if key in step]
        if len(having) == 1:
            break
    else:
        having, key = [0], next(iter(steps[0]))
    index = having[0]
    rest = [step for number, step in enumerate(steps) if number != index]
    exact = total[key] / steps[index][key]
    alone = not any(key in step for step in rest)
    for times in [int(exact)] if alone else range(1, min(int(exact), _MOST_TIMES) + 1):
        part = _scaled(steps[index], times)
        if times >= 1 and not part - total:
            found = _times(rest, total - part)
            if found is not None:
                return [*found[:index], times, *found[index:]]
    return None


def _scaled(bag: Bag, times: int) -> Bag:
    return Counter({key: count * times for key, count in bag.items()})


def _merged(works: Sequence[_Work], times: Sequence[int]) -> _Work:
    """Return several steps as one, each so often; those without a number once."""
    items = [
        (key, replace(item, count=item.count * number))
        for work, number in zip(works, [*times, *[1] * len(works)], strict=False)
        for key, item in work.items
    ]
    return replace(works[0], items=items, order=(), eager=False, assigns=False)


def _in_turn(left: Sequence[_Work], right: Sequence[_Work]) -> Iterator[Entry]:
    """Check that operations of one key come on the same devices in the same order, step by step."""
    for key in dict.fromkeys(key for one in left for key in one.sequences):
        rows = [
            [one.sequences[key] for one in side if key in one.sequences] for side in (left, right)
        ]
        if len({device for side in rows for row in side for device in row}) == 1:
            continue
        if not (_is_made_of(rows[1], rows[0]) or _is_made_of(rows[0], rows[1])):
            texts = tuple(_row([device for row in side for device in row]) for side in rows)
            yield Entry(_name(key), Outcome.INCONCLUSIVE, texts[0], texts[1], _SWAPPED)


def _is_made_of(whole: Sequence[Sequence[str]], parts: Sequence[Sequence[str]]) -> bool:
    """Tell whether a row consists of some others, the first time in their order."""
    row = [device for part in whole for device in part]
    at, reached = 0, 0
    while at < len(row):
        for number in range(min(reached + 1, len(parts))):
            part = parts[number]
            if list(row[at : at + len(part)]) == list(part):
                at += len(part)
                reached = max(reached, number + 1)
                break
        else:
            return False
    return reached == len(parts)


def _unlike(left: Sequence[_Work], right: Sequence[_Work]) -> Iterator[Entry]:
    """Yield what the steps of one side have and those of the other have not."""
    mine, theirs = (
        _by_key(sum((one.essence for one in side), Counter())) for side in (left, right)
    )
    eager = any(one.eager for one in (*left, *right))
    for key in sorted(mine.keys() | theirs.keys()):
        one, other = mine.get(key, {}), theirs.get(key, {})
        if one == other:
            continue
        texts = _counted(one), _counted(other)
        if not one or not other:
            reason = f"only the program {'before' if one else 'after'} has such operations"
            yield Entry(_name(key), Outcome.MISMATCH, *texts, reason)
        elif one.keys() != other.keys():
            reason = "the same operations, on other devices"
            yield Entry(_name(key), Outcome.MISMATCH, *texts, reason)
        elif eager:
            reason = "no number of steps explains both: one side has more, or shares them otherwise"
            yield Entry(_name(key), Outcome.INCONCLUSIVE, *texts, reason)
        else:
            reason = "one side has more of them in a step, or shares them out otherwise"
            yield Entry(_name(key), Outcome.MISMATCH, *texts, reason)


def _is_in(work: _Work, works: Sequence[_Work]) -> bool:
    return any(one is work for one in works)


def _distinct(works: Sequence[_Work]) -> list[_Work]:
    """Leave out functions and runs that consist of the same as an earlier one."""
    found: list[_Work] = []
    for work in works:
        like = None if work.eager else _like(work, found)
        if like is None:
            found.append(work)
        elif (first := found[like]).runs and work.runs:
            found[like] = replace(first, runs=added_runs(first.runs, work.runs))
    return found


def _like(work: _Work, works: Sequence[_Work]) -> int | None:
    """Return the number of the step among some that consists of the same, None for none."""
    for number, one in enumerate(works):
        if not one.eager and (one.own, one.heavy_gradients, one.updated, one.sequences) == (
            work.own,
            work.heavy_gradients,
            work.updated,
            work.sequences,
        ):
            return number
    return None


def _paired(
    mine: Sequence[_Work], theirs: Sequence[_Work]
) -> tuple[list[tuple[_Work, _Work]], list[tuple[_Work, _Work]]]:
    """Pair steps that consist of the same, in order; return apart those that then differ."""
    left, right = _by_shape(mine), _by_shape(theirs)
    pairs: list[tuple[_Work, _Work]] = []
    swapped: list[tuple[_Work, _Work]] = []
    for shape, works in left.items():
        others = right.get(shape, [])
        for one, other in zip(works, others, strict=False):
            (pairs if one.essence == other.essence else swapped).append((one, other))
    return pairs, swapped


def _by_shape(works: Sequence[_Work]) -> dict[frozenset[tuple[Key, int]], list[_Work]]:
    found: dict[frozenset[tuple[Key, int]], list[_Work]] = {}
    for work in works:
        if not work.eager and work.essence:
            found.setdefault(frozenset(work.shape.items()), []).append(work)
    return found


def _pair(one: _Work, other: _Work) -> Iterator[Entry]:
    """Compare two steps whose work is the same but for how arithmetic is spelled."""
    number = sum(one.essence.values())
    texts = (f"{number} operations",) * 2
    yield Entry("products, convolutions and the like", Outcome.MATCH, *texts, graph=_title(one))
    yield from _arithmetic(one, other)


def _title(work: _Work) -> str:
    return f"step of {work.title}"


def _row(devices: Sequence[str], most: int = 6) -> str:
    return ", ".join(devices[:most]) + (", ..." if len(devices) > most else "")


def _name(key: Key) -> str:
    return f"{key[0]} {key[1]}".rstrip()


def _arithmetic(one: _Work, other: _Work) -> Iterator[Entry]:
    """Judge what is left where the work is the same: sums, means, updates, light gradients."""
    title = _title(one)
    if one.updated != other.updated:
        only = one.updated ^ other.updated
        texts = _places(one.updated & only), _places(other.updated & only)
        same = {shape for _, shape in one.updated} == {shape for _, shape in other.updated}
        outcome = Outcome.MISMATCH if same else Outcome.INCONCLUSIVE
        reason = (
            "weights are updated on other devices"
            if same
            else "one side computes with weights that the other leaves alone"
        )
        yield Entry("updates of weights", outcome, *texts, reason, graph=title)
    if one.counters != other.counters:
        texts = _counted(one.counters), _counted(other.counters)
        reason = "single numbers are counted up or down more often on one side"
        yield Entry("counters", Outcome.INCONCLUSIVE, *texts, reason, graph=title, form=True)
    if one.gradient_devices != other.gradient_devices:
        texts = (
            ", ".join(sorted(one.gradient_devices)) or "none",
            ", ".join(sorted(other.gradient_devices)) or "none",
        )
        reason = "gradients are computed on other devices"
        yield Entry("gradients", Outcome.INCONCLUSIVE, *texts, reason, graph=title)
    yield from _spelled(one.own - other.own, other.own - one.own, title)


def _spelled(mine: Bag, theirs: Bag, title: str) -> Iterator[Entry]:
    """Judge operations that only one side has: the same may be spelled with others."""
    if not mine and not theirs:
        return
    texts = _summary(mine), _summary(theirs)
    moved = _without_devices(mine).keys() & _without_devices(theirs).keys()
    places = {device for _, device in mine} | {device for _, device in theirs}
    subject = "sums, means and the like"
    if moved:
        both = sorted(moved)[0]
        reason = f"{_name(both)} and others run on other devices"
        yield Entry(subject, Outcome.MISMATCH, *texts, reason, graph=title)
    elif mine.total() == theirs.total():
        reason = "as many operations of another type: that is no other spelling"
        form = _on_one_device(mine, theirs)
        yield Entry(subject, Outcome.INCONCLUSIVE, *texts, reason, graph=title, form=form)
    elif all(_same_sizes(mine, theirs, device) for device in places):
        reason = "spelled in other operations of the same sizes, on the same devices"
        yield Entry(subject, Outcome.IGNORED, *texts, reason, graph=title)
    else:
        reason = "one side has operations that the other has not, or has on other devices"
        form = _on_one_device(mine, theirs)
        yield Entry(subject, Outcome.INCONCLUSIVE, *texts, reason, graph=title, form=form)


def _on_one_device(mine: Bag, theirs: Bag) -> bool:
    """Tell whether all operations that are left over are on the same one device."""
    return len({device for bag in (mine, theirs) for _, device in bag}) == 1


def _same_sizes(mine: Bag, theirs: Bag, device: str) -> bool:
    """Tell whether both sides compute on a device with tensors of the same sizes."""
    left, right = (
        {
            size
            for key, where in side
            if where == device
            for _, size in _SHAPE.findall(key[1])
            if size
        }
        for side in (mine, theirs)
    )
    there = [any(where == device for _, where in side) for side in (mine, theirs)]
    return all(there) and left == right


def _places(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{shape} on {device}" for device, shape in sorted(pairs)) or "none"


def _summary(bag: Bag, most: int = 4) -> str:
    rows = [
        f"{count} {_name(key)} on {device}" for (key, device), count in sorted(bag.items(), key=str)
    ]
    rest = f" and {len(rows) - most} more" if len(rows) > most else ""
    return ", ".join(rows[:most]) + rest or "none"


def _difference(one: _Work, other: _Work) -> Iterator[Entry]:
    """Yield what two steps of the same operations do not have on the same devices."""
    mine, theirs = _by_key(one.essence), _by_key(other.essence)
    for key in sorted(mine.keys() | theirs.keys()):
        if mine.get(key) != theirs.get(key):
            texts = _counted(mine.get(key, {})), _counted(theirs.get(key, {}))
            reason = "the same operations, on other devices"
            yield Entry(_name(key), Outcome.MISMATCH, *texts, reason, graph=_title(one))


def _by_key(bag: Bag) -> dict[Key, dict[str, int]]:
    found: dict[Key, dict[str, int]] = {}
    for (key, device), count in bag.items():
        found.setdefault(key, {})[device] = count
    return found
