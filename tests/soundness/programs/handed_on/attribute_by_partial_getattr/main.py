import functools
from unittest import mock

from base import Base

b = Base()
print(functools.partial(getattr, b)("config") is None)
print(b.names())
