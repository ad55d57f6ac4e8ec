"""What an editor sends that is no message: answered with an error, or the end of the session."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

import click
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
)
from pygls.protocol import LanguageServerProtocol

_LENGTH = b"content-length:"
# A file of 64 MiB, in the longest escapes of JSON, has fewer bytes.
_DIGITS = 9


class Input:
    """Standard input, which holds no message that is longer than what is read of any file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return a line of a header.

        Raises:
            click.ClickException: it announces a message that is too long.
        """
        line = self._stream.readline()
        number = line[len(_LENGTH) :].strip() if line.lower().startswith(_LENGTH) else b""
        if number.isdigit() and len(number.lstrip(b"0")) > _DIGITS:
            raise TooLongError(
                f"the editor announces a message of {number[:20].decode()} bytes; the longest that "
                "is read has less than 10^9: the session ends"
            )
        return line

    def read(self, size: int) -> bytes:
        """Return the bytes of a message."""
        return self._stream.read(size)


class TooLongError(click.ClickException):
    """A message that cannot be read, nor what comes after it."""

    exit_code = 2


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to whatever cannot be understood."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message; a request whose parameters are wrong is answered here.

        Raises:
            JsonRpcException: it is none.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), (int, str)):
                wrong = JsonRpcInvalidParams(f"Invalid Params: {error.__cause__ or error}")
                self._send_response(data["id"], error=wrong.to_response_error())
            raise

    def answer_unread(self, error: Exception) -> None:
        """Answer what came instead of a message: no JSON, or JSON that is no message."""
        no_json = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
        kind = JsonRpcParseError if isinstance(error, no_json) else JsonRpcInvalidRequest
        wrong = kind.of(error)
        # The classes of the protocol leave an `id` out that is null, which the answer has to have.
        told = {"code": wrong.code, "message": wrong.message}
        self._send_data({"jsonrpc": self.VERSION, "id": None, "error": told})
