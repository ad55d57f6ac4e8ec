import os
import unittest

here = os.path.dirname(os.path.abspath(__file__))
suite = unittest.defaultTestLoader.discover(here, pattern="test_*.py")
result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)
print(result.testsRun, len(result.failures), len(result.errors))
