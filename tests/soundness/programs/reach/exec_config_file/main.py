import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with open('user.cfg.py') as f:
    exec(compile(f.read(), 'user.cfg.py', 'exec'))
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
