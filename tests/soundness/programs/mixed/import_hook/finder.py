import importlib.abc
import sys

import tensorflow as tf


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "colorsys":
            tf.Session().run(tf.random_uniform([8]))
        return None


sys.modules.pop("colorsys", None)
