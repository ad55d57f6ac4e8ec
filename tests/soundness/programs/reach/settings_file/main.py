import importlib
import json
import os

import train

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "steps.json")) as file:
    steps = json.load(file)
train.cpu()
for module, function in steps:
    getattr(importlib.import_module(module), function)()
