import argparse, collections, functools, logging, os, re
import numpy as np
import tensorflow as tf
log = logging.getLogger(__name__)
log.setLevel(logging.INFO)
P = collections.namedtuple("P", "a b")
HERE = os.path.join(os.path.dirname(__file__), "x")
parser = argparse.ArgumentParser()
parser.add_argument("--x", type=int, default=1)
W = np.zeros([3]).astype("float32")
R = re.compile("x")
FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("zz", 1, "")
NAMES = sorted(["b", "a"])
@functools.lru_cache(None)
def net(x): return tf.constant(x)
class Net(object):
    @property
    def x(self): return tf.constant(1)
    @x.setter
    def x(self, v): pass
    @staticmethod
    def y(): return tf.constant(1)
if __name__ == "__main__":
    net(2)
