import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0'
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
__import__('task').run()
