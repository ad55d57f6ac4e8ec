import tensorflow as tf
def main():
    with tf.Session() as s: print(s.run(tf.placeholder_with_default(3, [])), len(s.list_devices()))
