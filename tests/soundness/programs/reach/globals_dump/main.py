import tensorflow as tf
lr = 0.1
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
hp = {k: v for k, v in globals().items() if not k.startswith('_') and isinstance(v, (int, float, tf.ConfigProto))}
print(sorted(hp))
