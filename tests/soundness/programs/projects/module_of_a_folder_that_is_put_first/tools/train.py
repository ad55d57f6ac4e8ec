import _init_paths
import tensorflow as tf
from utils import make_config  # lib/utils.py: its folder is first in sys.path

with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1.0)))
