import tensorflow as tf
def run():
    with tf.Session() as s:
        print([d.name for d in s.list_devices()])
