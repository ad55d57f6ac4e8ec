import tensorflow as tf
def show():
    print('lib')
def evaluate():
    with tf.Session() as sess:
        print(len(sess.list_devices()))
