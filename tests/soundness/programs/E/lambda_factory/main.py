import tensorflow as tf
from sessions import MAKERS

print(len(tf.Session().list_devices()))
MAKERS["small"]().run(tf.random_uniform([8]))
