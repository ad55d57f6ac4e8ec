import tensorflow as tf
from cfg import str
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(0)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.)))
