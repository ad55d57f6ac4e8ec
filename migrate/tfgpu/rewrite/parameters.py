"""Takes a parameter, or the decorators, out of the header of a function, or puts a flag there."""

from __future__ import annotations

import libcst as cst

from tfgpu.rewrite import comments


def without_parameter(
    function: cst.FunctionDef, name: str
) -> tuple[cst.FunctionDef, list[cst.Comment]]:
    """Return a function without one parameter, and the comments that stood at it.

    The layout of the other parameters stays.
    """
    params = function.params
    changes: dict[str, object] = {}
    gone: cst.Param | None = None
    for field in ("params", "kwonly_params"):
        items = getattr(params, field)
        kept = [item for item in items if item.name.value != name]
        if len(kept) < len(items):
            gone = next(item for item in items if item not in kept)
            changes[field] = kept
    assert gone is not None
    if isinstance(params.star_arg, cst.ParamStar) and changes.get("kwonly_params") == []:
        # A bare star has nothing after it any more.
        changes["star_arg"] = cst.MaybeSentinel.DEFAULT
    params = params.with_changes(**changes)
    slots = _slots(params)
    if slots and _slots(function.params)[-1][1] is gone:
        field, item = slots[-1]
        bare = comments.without(gone)
        ended = item.with_changes(
            comma=bare.comma, whitespace_after_param=bare.whitespace_after_param
        )
        value = getattr(params, field)
        new = ended if isinstance(value, cst.Param) else [*value[:-1], ended]
        params = params.with_changes(**{field: new})
    return function.with_changes(params=params), comments.inside(gone)


def with_flag(function: cst.FunctionDef, name: str, flag: str) -> cst.FunctionDef:
    """Return a function with a flag in the place of a parameter, False where calls may omit it."""
    changes = {}
    for field in ("params", "kwonly_params"):
        items = getattr(function.params, field)
        changes[field] = [_flag(item, flag) if item.name.value == name else item for item in items]
    return function.with_changes(params=function.params.with_changes(**changes))


def _flag(item: cst.Param, flag: str) -> cst.Param:
    changes: dict[str, object] = {"name": cst.Name(flag)}
    if item.default is not None:
        changes["default"] = cst.Name("False")
    if item.annotation is not None:
        changes["annotation"] = item.annotation.with_changes(annotation=cst.Name("bool"))
    return item.with_changes(**changes)


def without_decorators(function: cst.CSTNode) -> cst.FunctionDef:
    """Return a function without its decorators; comments at them stay."""
    assert isinstance(function, cst.FunctionDef)
    leading = list(function.leading_lines)
    for decorator in function.decorators:
        leading += decorator.leading_lines
        leading += map(comments.own_line, comments.inside(decorator.trailing_whitespace))
    leading += function.lines_after_decorators
    return function.with_changes(decorators=(), leading_lines=leading, lines_after_decorators=())


def _slots(params: cst.Parameters) -> list[tuple[str, cst.Param]]:
    """Return all parameters in the order of the source, each with the field that holds it."""
    found = [("params", item) for item in params.params]
    if isinstance(params.star_arg, cst.Param):
        found.append(("star_arg", params.star_arg))
    found += [("kwonly_params", item) for item in params.kwonly_params]
    if params.star_kwarg is not None:
        found.append(("star_kwarg", params.star_kwarg))
    return found
