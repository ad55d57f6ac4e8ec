import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '4'
config.gpu_options.allow_growth = True
def main():
    if len(sys.argv) < 2:
        print('usage: main.py DATA'); return
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
main()
