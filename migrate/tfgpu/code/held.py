"""What comes out of objects of Python itself: texts and numbers, or anything that was put in."""

from __future__ import annotations

import sys

from tfgpu.code.canonical import canonical
from tfgpu.code.origins import UNKNOWN, Origin
from tfgpu.files.pattern import expression

# Modules of Python that one of its versions has, and another one not.
PYTHON = sys.stdlib_module_names | frozenset(
    [
        "builtins", "__builtin__", "__main__", "BaseHTTPServer", "ConfigParser", "HTMLParser",
        "Queue", "SocketServer", "StringIO", "Tkinter", "cPickle", "cStringIO", "commands",
        "cookielib", "copy_reg", "exceptions", "httplib", "md5", "sets", "thread", "urllib2",
        "urlparse", "xmlrpclib", "asynchat", "asyncore", "cgi", "distutils", "imp", "pipes",
        "smtpd", "telnetlib", "imghdr", "sndhdr", "crypt", "tomllib",
    ]
)  # fmt: skip
# What is taken out of objects of Python, or returned by what they returned, may be any object.
_HOLDS = expression(r"\[\]|\(\).*\(\)")
_CALLED = expression(r"\(\)")
# Modules whose functions give objects of any code.
ANYTHING = frozenset(
    ["copy", "cPickle", "imp", "importlib", "operator", "pickle", "pkgutil", "runpy"]
)
# Objects of which nothing comes but texts, numbers and times.
_TEXTS = expression(
    r"^(?:builtins\.(?:dir|open|str|bytes|int|float|bool|range)|sys\.argv|os\.listdir|os\.walk|"
    r"os\.path|glob|time|datetime|re|math|string|os\.getcwd|csv|hashlib|pathlib|codecs\.open|"
    r"io\.(?:open|StringIO|BytesIO)|gzip\.open|zipfile|subprocess\.check_output)\b|^os\.environ\[\]"
)


def root_of(origin: str) -> str:
    """Return the package, or builtin module, that an origin begins with."""
    return canonical(origin).partition(".")[0].partition("(")[0]


def is_held(origin: Origin) -> bool:
    """Tell whether an object comes out of one of Python's own that may hold any object."""
    if not isinstance(origin, str) or origin == UNKNOWN:
        return False
    root = root_of(origin)
    holds = _HOLDS if root not in ANYTHING else _CALLED
    return root in PYTHON and holds.search(origin) is not None and not _TEXTS.match(origin)
