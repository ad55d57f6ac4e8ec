import importlib
import sys

import train

module, _, function = sys.argv[1].partition(":")
train.cpu()
getattr(importlib.import_module(module), function)()
