"""A name that is assigned to itself is an error where it has no value."""
import tensorflow as tf
def main():
    try:
        config = config
    except UnboundLocalError:
        print("unbound")
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
main()
