import tensorflow as tf
from conf import *
def other():
    global gpu
    gpu = "1"
def session():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpu
    return tf.Session(config=config)
print(session().run(tf.constant(1.0)))
