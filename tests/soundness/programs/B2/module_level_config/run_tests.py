import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
suite = unittest.defaultTestLoader.discover(os.path.join(here, "tests"))
result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)
print(result.testsRun, len(result.failures), len(result.errors))
sys.exit(not result.wasSuccessful())
