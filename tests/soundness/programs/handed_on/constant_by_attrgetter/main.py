import functools
import operator
import pkgutil
from unittest import mock

import conf

print(operator.attrgetter("CONFIG")(conf) is None)
print([device.name for device in conf.new().list_devices()])
