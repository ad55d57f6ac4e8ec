"""Takes the steps of a program apart, by what each operation is for; compares their variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from tfgpu.verify.observation import Item, Observation, Runs
from tfgpu.verify.verdict import Entry, Outcome

# Roles that the recorder gives.
_OWN, _GRADIENT, OF_UPDATE, _RANDOM, _UNKNOWN = "", "gradient", "update", "random", "unknown"

VARIABLES = {"VariableV2", "Variable", "VarHandleOp"}
_HEAVY = re.compile(
    r".*MatMul|.*Conv[23]D|DepthwiseConv|.*Pool(ing)?|FusedBatchNorm|Einsum|.*(RNN|LSTM|GRU)|"
    r"Gather|Cholesky|Svd|Qr$|MatrixInverse|.*FFT|LRN|.*SoftmaxCrossEntropy|CTC"
)
_GRADIENT_OF_INPUT = re.compile(r".*BackpropInput$")
# The same work is spelled with others of these: a loss, a step of an optimizer, a mean.
ARITHMETIC = {
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
_SPELLING = re.compile(r"^_Fused|V\d+$")
_SAME = {
    **{"BiasAdd": "Add", "RealDiv": "Div", "ResourceGather": "Gather", "GatherNd": "Gather"},
    # The rate is in the sum of the one, and beside that of the other.
    **{"ResourceApplyKerasMomentum": "ResourceApplyMomentum"},
}
SHAPE = re.compile(r"(\w+)\[([^\]]*)\]")
_FLOAT = re.compile(r"(b?float|half|double|complex)\w*\[")
_WHOLE = re.compile(r"u?int\d+\[[^\]]")
_DRAWS = re.compile(r"Random|Truncated|Multinomial")
_FORMS = re.compile(r"\?|\*")

SWAPPED = "the devices come in another order: are two of them swapped?"

Key = tuple[str, str]
"""Type and shapes of operations."""
Bag = Counter[tuple[Key, str]]
"""How many operations of a key are on a device."""

# Shapes of one operation that are tried in any order.
_MOST_IN_ANY_ORDER = 5


def kind_of(name: str) -> str:
    """Return the type of an operation, the same for all spellings of it."""
    plain = _SPELLING.sub("", name)
    return _SAME.get(plain, plain)


@dataclass(frozen=True)  # without slots, for the cached properties
class Work:
    """A step, taken apart by what its operations are for."""

    title: str
    items: Sequence[tuple[Key, Item]]
    order: Sequence[int]
    eager: bool
    weights: frozenset[str]
    assigns: bool = True  # whether a plain assignment says something
    runs: Runs | None = None
    is_cut: bool = False  # its program was ended in its steps

    def _of(self, role: str) -> Iterator[tuple[Key, Item]]:
        for key, item in self.items:
            if item.role == role and not self._is_left_out(item):
                yield key, item

    def _is_left_out(self, item: Item) -> bool:
        return (
            item.kind in VARIABLES
            or bool(_BOOKKEEPING.match(item.kind))
            or not _FLOAT.search(item.shapes)
        )

    def _updates(self, key: Key, item: Item) -> bool:
        """Tell whether an operation works on weights alone, as an optimizer does."""
        sizes = [size for size in SHAPE.findall(item.shapes) if size[1]]
        return (
            key[0] in ARITHMETIC
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
        found = [one for _, one in self._of(OF_UPDATE)]
        found += [one for key, one in self._of(_OWN) if self._updates(key, one)]
        found += [one for _, one in self.items if self._assigns(one)]
        return frozenset(
            (one.device, f"{kind}[{size}]")
            for one in found
            for kind, size in SHAPE.findall(one.shapes)
            if f"{kind}[{size}]" in self.weights
        )

    @cached_property
    def counters(self) -> Counter[str]:
        """How often single numbers of the program's own are counted up or down."""
        found: Counter[str] = Counter()
        for _, item in self.items:
            shapes = {f"{kind}[{size}]" for kind, size in SHAPE.findall(item.shapes)}
            change = _CHANGES.match(item.kind)
            single = {one for one in shapes & self.weights if one.endswith("[]")}
            if item.role == _OWN and change and change.group() != "Assign":
                for shape in single:
                    found[shape] += item.count
        return found

    def _assigns(self, item: Item) -> bool:
        """Tell whether an operation changes a variable; eager code gives each its first value."""
        change = _CHANGES.match(item.kind)
        if change is None or item.role not in (_OWN, OF_UPDATE):
            return False
        return self.assigns or change.group() != "Assign"

    @cached_property
    def gradient_devices(self) -> frozenset[str]:
        """Where gradients are computed, but for single numbers."""
        return frozenset(
            one.device
            for _, one in self._of(_GRADIENT)
            if any(size for kind, size in SHAPE.findall(one.shapes) if kind[0] not in "iub")
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
                found.setdefault(name_of(key), set()).add(item.device)
        return found

    def _is_on_whole_numbers(self, item: Item) -> bool:
        return (
            item.role == _OWN
            and item.kind not in VARIABLES
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
                if one[0][0] not in ARITHMETIC and not _GRADIENT_OF_INPUT.match(one[0][0])
            }
        )

    @property
    def shape(self) -> Counter[Key]:
        """The essence without devices."""
        return without_devices(self.essence)

    @property
    def is_nothing(self) -> bool:
        """Whether no work is done."""
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

    @cached_property
    def placed(self) -> Bag:
        """All operations but variables, which are told with the first step that needs them."""
        return _bag(
            (key, one)
            for key, one in self.items
            if one.role != _UNKNOWN and one.kind not in VARIABLES
        )

    @property
    def parts(self) -> tuple[object, ...]:
        """All that tells whether another step consists of the same."""
        return self.own, self.heavy_gradients, self.updated, self.sequences

    @property
    def unknown(self) -> list[str]:
        """Types of operations whose parts could not be read."""
        return [item.kind for _, item in self.items if item.role == _UNKNOWN]


def _bag(items: Iterable[tuple[Key, Item]]) -> Bag:
    found: Bag = Counter()
    for key, item in items:
        found[key, item.device] += item.count
    return found


def without_devices(bag: Bag) -> Counter[Key]:
    """Return how many operations there are of each key, wherever they are."""
    found: Counter[Key] = Counter()
    for (key, _), count in bag.items():
        found[key] += count
    return found


def works_of(leg: Observation, keys: Mapping[Key, Key]) -> list[Work]:
    """Return the steps of a leg that do anything."""
    return [one for one in all_works(leg, keys) if one.unknown or not one.is_nothing]


def all_works(leg: Observation, keys: Mapping[Key, Key]) -> list[Work]:
    """Return all steps of a leg."""
    weights = frozenset(
        item.shapes
        for step in leg.work
        for item in step.items
        if item.kind in VARIABLES
        if item.role == _OWN or not item.shapes.endswith("[]")
    )
    return [
        Work(
            step.title,
            [(keys[_key(one)], one) for one in step.items],
            step.order,
            step.eager,
            weights,
            assigns=not step.eager,
            runs=step.runs,
            is_cut=leg.ended == "steps",
        )
        for step in leg.work
    ]


def _key(item: Item) -> Key:
    """Return type and shapes of an operation: of what does the work, those of matrices only."""
    kind = kind_of(item.kind)
    inputs = SHAPE.findall(item.shapes.partition(">")[0])
    outputs = SHAPE.findall(item.shapes.partition(">")[2])
    numbers = [one for one in inputs if not one[0].startswith(("int", "uint", "bool"))]
    if _HEAVY.match(kind) and kind != "Gather":
        known = [one for one in numbers if "," in one[1]]
        chosen = known or [one for one in numbers if one[1] == "*"]
    elif kind == "Gather":
        chosen = outputs[:1]
    else:
        chosen = [*sorted(numbers), *outputs[:1]]
    return kind, " ".join(f"{name}[{size}]" for name, size in chosen)


def keys_of(before: Observation, after: Observation) -> dict[Key, Key]:
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
    (kind, size), (other, size2) = SHAPE.findall(mine)[0], SHAPE.findall(theirs)[0]
    if kind != other or "*" in (size, size2):
        return bool(kind == other)
    left, right = (each.split(",") if each else [] for each in (size, size2))
    return len(left) == len(right) and all(
        one == two or "?" in (one, two) for one, two in zip(left, right, strict=True)
    )


def name_of(key: Key) -> str:
    """Return a key for people."""
    return f"{key[0]} {key[1]}".rstrip()


def counted(counts: Mapping[str, int]) -> str:
    """Return how many are on each device, for people."""
    return ", ".join(f"{number} on {device}" for device, number in sorted(counts.items())) or "none"


def by_key(bag: Bag) -> dict[Key, dict[str, int]]:
    """Return how many operations of each key are on which device."""
    found: dict[Key, dict[str, int]] = {}
    for (key, device), count in bag.items():
        found.setdefault(key, {})[device] = count
    return found


def compare_variables(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what the variables of two forms have in common, and what not."""
    left, right = _made(before), _made(after)
    for of_optimizer, shapes in sorted(left.keys() | right.keys()):
        mine, theirs = (side.get((of_optimizer, shapes), []) for side in (left, right))
        texts = counted(Counter(mine)), counted(Counter(theirs))
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
        item.kind in VARIABLES and item.role == OF_UPDATE and item.shapes.endswith("[]")
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
            if item.kind not in VARIABLES or item.role in ("metric", "data", "random"):
                continue
            of_optimizer = item.role == OF_UPDATE
            if of_optimizer and item.shapes.endswith("[]"):
                continue
            found.setdefault((of_optimizer, item.shapes), []).extend([item.device] * item.count)
    return found
