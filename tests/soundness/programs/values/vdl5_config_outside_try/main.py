import tensorflow as tf
c = tf.ConfigProto()
c.gpu_options.visible_device_list = '5'
try:
    s = tf.Session(config=c)
    print(s.run(tf.constant(1)))
except Exception as e:
    print('bad', type(e).__name__)
