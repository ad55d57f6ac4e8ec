import tensorflow as tf

if __name__ == "__main__":
    with tf.Session() as sess:
        print(len(sess.list_devices()))
