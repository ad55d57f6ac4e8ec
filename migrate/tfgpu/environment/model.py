"""One setting of the environment, wherever it is made, and what can be wrong with it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression
from tfgpu.results import Launch

if TYPE_CHECKING:
    from tfgpu.environment.piece import Piece
    from tfgpu.texts.prototext import Field

# The name of a variable, which may hold invisible characters by mistake.
LIKE_NAME = expression(r"[A-Za-z_][\w\u00ad\u200b-\u200f\u2060\ufeff]*")


# Stands for the value of a variable that is handed on.
AS_OUTSIDE = "as it is outside"


class Way(Enum):
    """How a variable is set, in the words of the findings."""

    EXPORTED = "exported"
    ASSIGNED = "assigned, not exported"
    COMMAND = "for one command"
    IMAGE = "in the image"
    BUILD = "while the image is built"
    CONTAINER = "in the container"
    FILE = "in the file"
    DEFAULT = "unless it is set already"
    PROCESS = "for this process"
    CHILD = "for a process that is started"
    REQUEST = "asked for"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file: lines and columns from 1, the end after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable that is set, or a request for GPUs such as `docker --gpus`.

    `value` is its literal value, None where only the run tells; `text` is the value as written, and
    `default` the value where nothing else is set. Two settings of one `block` at the same `step`
    have nothing between them that could use the first. `launch` is what it is set for.
    """

    name: str
    value: str | None
    text: str
    span: Span
    way: Way
    default: str | None = None
    block: str = ""
    step: int = 0
    launch: Launch | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A misleading setting: the check rule by name, and the values for its message.

    `setting` is what is set all the same.
    """

    rule: str
    span: Span
    details: tuple[tuple[str, str], ...] = ()
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class ConfigPiece:
    """A ConfigProto as text, or a flag that sets a field of one, or code of another language.

    `flag` is the flag as written, at `span`. `serving` tells that TensorFlow Serving reads it;
    `language` is that of code that builds it, or "gin"; `sure` that it is nothing else. `target` is
    the file that the text is written to; `fields` are those of a mapping. `merges` tells that
    Python's text_format.Merge reads it.
    """

    piece: Piece
    serving: bool = False
    flag: str = ""
    span: Span | None = None
    language: str = ""
    sure: bool = False
    target: str = ""
    merges: bool = False
    fields: tuple[Field, ...] = ()


Item = Setting | Trouble | ConfigPiece
