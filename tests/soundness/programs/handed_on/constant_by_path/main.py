import functools
import operator
import pkgutil
from unittest import mock

import conf

print(pkgutil.resolve_name("conf:CONFIG") is None)
print([device.name for device in conf.new().list_devices()])
