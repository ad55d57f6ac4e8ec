import tensorflow as tf

n = 0
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
config.device_count['GPU'] = n
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
