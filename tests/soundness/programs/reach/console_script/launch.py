import importlib
import os
import re

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "setup.py")) as file:
    module, function = re.search(r"= ([\w.]+):(\w+)", file.read()).groups()
getattr(importlib.import_module(module), function)()
