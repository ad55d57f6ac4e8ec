import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
list(map(__import__, ["other"]))
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
