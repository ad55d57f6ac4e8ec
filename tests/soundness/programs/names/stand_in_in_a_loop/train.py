import sys
import types
from unittest import mock

fake = types.ModuleType("tensorflow")
fake.Session = lambda config=None: print("fake")
fake.ConfigProto = lambda **_: None
if "--fake" in sys.argv:
    for name in ("tensorflow", "other"):
        sys.modules[name] = fake
import model

model.go()
print(mock is not None)
