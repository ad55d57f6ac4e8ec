import tensorflow as tf

COMMANDS = ["python train.py --fraction %.1f" % fraction for fraction in (0.1, 0.2)]
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
print(COMMANDS)
