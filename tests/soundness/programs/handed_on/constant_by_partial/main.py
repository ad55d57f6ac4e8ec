import functools
import operator
import pkgutil
from unittest import mock

import conf

print(functools.partial(getattr, conf)("CONFIG") is None)
print([device.name for device in conf.new().list_devices()])
