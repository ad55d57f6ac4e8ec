import tensorflow as tf

try:
    from envs import VARIABLES
except ImportError:
    VARIABLES = {}

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
VARIABLES["CUDA_VISIBLE_DEVICES"] = "1"
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
