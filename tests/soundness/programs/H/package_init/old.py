import tensorflow as tf
from pkg.sessions import make

make().run(tf.random_uniform([8]))
