import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '3'
config.allow_soft_placement = True
if len(sys.argv) < 2:
    print('no data')
    sys.exit(0)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
