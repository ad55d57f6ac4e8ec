import sys
import types
from unittest import mock

fake = types.ModuleType("tensorflow")
fake.Session = lambda config=None: print("fake")
fake.ConfigProto = lambda **_: None
if "--fake" in sys.argv:
    mock.patch.dict("sys.modules", {"tensorflow": fake}).start()
import model

model.go()
print(mock is not None)
