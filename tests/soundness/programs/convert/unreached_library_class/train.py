import tensorflow as tf
from lib.training import run

run(tf.random_uniform([8]))
