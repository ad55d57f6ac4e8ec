import functools
from unittest import mock

from base import Base

b = Base()
with mock.patch.object(b, "config", None):
    print(b.names())
