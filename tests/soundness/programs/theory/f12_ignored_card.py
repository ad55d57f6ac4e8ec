"""TensorFlow ignores a card with few multiprocessors: an empty config is not like no config."""
# gpus: sim:T4,V100-16
# variables: TF_MIN_GPU_MULTIPROCESSOR_COUNT=60

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
