import tensorflow as tf
def build():
    x = tf.get_variable("x", [], initializer=tf.ones_initializer())
    return tf.global_variables_initializer()
