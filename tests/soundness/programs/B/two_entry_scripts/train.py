import sessions
import tensorflow as tf

sessions.cpu_session().run(tf.random_uniform([8]))
