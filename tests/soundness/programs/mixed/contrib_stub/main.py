import tensorflow as tf

try:
    from tensorflow.contrib.training import HParams
except ImportError:
    from hparams import HParams

params = HParams(gpus=1)
config = tf.ConfigProto(device_count={"GPU": params.gpus})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
