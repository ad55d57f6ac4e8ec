import envs
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
envs.VARIABLES.update(CUDA_VISIBLE_DEVICES="1")
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
