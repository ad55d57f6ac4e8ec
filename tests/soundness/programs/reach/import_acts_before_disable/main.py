from model import make_config
import tensorflow as tf

sess = tf.Session(config=make_config())
print([one.name for one in sess.list_devices()])
