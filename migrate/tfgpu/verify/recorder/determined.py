"""Makes a process compute on the CPU, from random numbers that depend on their shape alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from .modules import module_of

_CPU = "/device:CPU:0"
# Steps of sequences that fill an interval evenly.
GOLDEN, PLASTIC = 0.6180339887498949, 0.7548776662466927


def use_the_cpu() -> None:
    """Put all operations on the CPU, whatever device the program names."""
    ops, context = module_of("framework.ops"), module_of("eager.context")

    def _apply_device_functions(_: Any, operation: Any) -> None:
        operation._set_device(_CPU)
        operation._device_code_locations = []

    ops.Graph._apply_device_functions = _apply_device_functions
    enter, initialise = context._EagerDeviceContext.__init__, context.Context.ensure_initialized

    def __init__(scope: Any, made: Any, name: Any) -> None:
        enter(scope, made, _CPU)

    def ensure_initialized(made: Any) -> None:
        was_there = made._context_handle is not None
        initialise(made)
        if not was_there and made._context_handle is not None:
            made.device(_CPU).__enter__()  # for good

    context._EagerDeviceContext.__init__ = __init__
    context.Context.ensure_initialized = ensure_initialized


def fix_random_numbers(turned: Callable[[tuple[int, ...]], int]) -> None:
    """Let random numbers depend on their shape, and on how far they are `turned`, alone."""
    fixed = {
        "gen_random_ops": {
            "random_uniform": (_uniform, 0),
            "random_standard_normal": (_normal, 0),
            "truncated_normal": (_truncated, 0),
        },
        "gen_stateless_random_ops": {
            "stateless_random_uniform": (_uniform, 0),
            "stateless_random_normal": (_normal, 0),
            "stateless_truncated_normal": (_truncated, 0),
        },
        "gen_stateless_random_ops_v2": {
            "stateless_random_uniform_v2": (_uniform, 0),
            "stateless_random_normal_v2": (_normal, 0),
            "stateless_truncated_normal_v2": (_truncated, 0),
        },
        "gen_stateful_random_ops": {
            "stateful_uniform": (_uniform, 2),
            "stateful_standard_normal_v2": (_normal, 2),
            "stateful_truncated_normal": (_truncated, 2),
        },
    }
    for name, functions in fixed.items():
        with contextlib.suppress(ImportError):
            module = module_of(f"ops.{name}")
            for function, (draw, position) in functions.items():
                if hasattr(module, function):
                    setattr(module, function, _drawing(draw, position, turned))
    shuffled = module_of("ops.gen_random_ops")
    shuffled.random_shuffle = lambda value, *_, **__: module_of("ops.array_ops").identity(value)
    seeds = module_of("framework.random_seed")
    seeds.get_seed = lambda seed: (1, 1 if seed is None else seed)


def keep_reads_apart() -> None:
    """Make resource variables: on one device a read of another kind is not apart from the update.

    Where gradients are on GPUs and the variable is not, they work with a copy.
    """
    for name in ("resource_variables_toggle", "variable_scope"):
        with contextlib.suppress(ImportError):
            module = module_of(f"ops.{name}")
            if hasattr(module, "_DEFAULT_USE_RESOURCE"):
                module._DEFAULT_USE_RESOURCE = True
                module.disable_resource_variables = lambda: None


def _drawing(
    draw: Callable[[Any], Any], position: int, turned: Callable[[tuple[int, ...]], int]
) -> Callable[..., Any]:
    def drawn(*args: Any, **given: Any) -> Any:
        types, maths = module_of("framework.dtypes"), module_of("ops.math_ops")
        shape = given["shape"] if "shape" in given else args[position]
        kind = given.get("dtype") or next(
            (one for one in args[position + 1 :] if isinstance(one, types.DType)), types.float32
        )
        known = module_of("framework.tensor_util").constant_value_as_shape(shape)
        shape = (
            module_of("framework.ops").convert_to_tensor(shape, types.int32)
            if isinstance(shape, (list, tuple))
            else maths.cast(shape, types.int32)
        )
        index = maths.range(maths.reduce_prod(shape))
        if known.is_fully_defined() and known.num_elements():
            index = maths.floormod(index - turned(tuple(known.as_list())), known.num_elements())
        index = maths.cast(index + 1, types.float64)
        value = module_of("ops.array_ops").reshape(draw(index), shape)
        return maths.cast(value, kind)

    return drawn


def _uniform(index: Any) -> Any:
    return module_of("ops.math_ops").floormod(index * GOLDEN, 1.0)


def _normal(index: Any) -> Any:
    maths = module_of("ops.math_ops")
    first = maths.maximum(_uniform(index), 1e-9)
    second = maths.floormod(index * PLASTIC, 1.0)
    return maths.sqrt(-2.0 * maths.log(first)) * maths.cos(6.283185307179586 * second)


def _truncated(index: Any) -> Any:
    maths = module_of("ops.math_ops")
    return maths.maximum(maths.minimum(_normal(index), 2.0), -2.0)
