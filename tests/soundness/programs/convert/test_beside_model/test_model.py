import unittest
from model import Model


class ModelTest(unittest.TestCase):
    def test_shape(self):
        self.assertIsNotNone(Model().y)


if __name__ == "__main__":
    unittest.main()
