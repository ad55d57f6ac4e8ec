import unittest
import lib
unittest.main(module='checks', exit=False, argv=['x'])
lib.train()
