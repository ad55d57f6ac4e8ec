import tensorflow as tf
from model import Model

model = Model()
tf.Session().run(tf.random_uniform([8]))
del model
