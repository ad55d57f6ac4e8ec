import os
import unittest

import test_cpu
import test_gpu

load = unittest.defaultTestLoader.loadTestsFromModule
suite = unittest.TestSuite([load(test_cpu), load(test_gpu)])
result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(suite)
print(result.testsRun, len(result.failures), len(result.errors))
