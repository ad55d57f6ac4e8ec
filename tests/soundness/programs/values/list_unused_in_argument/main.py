import sys
import tensorflow as tf
def train(config):
    if len(sys.argv) < 2:
        print('usage: main.py DATA')
        return
    with tf.Session(config=config) as s:
        print(len(s.list_devices()))
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0' if len(sys.argv) > 1 else '5'
train(config)
