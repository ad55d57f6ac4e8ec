import functools
import operator
import pkgutil
from unittest import mock

import conf

with mock.patch.multiple(conf, CONFIG=None):
    print([device.name for device in conf.new().list_devices()])
