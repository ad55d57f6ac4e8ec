import tensorflow as tf
try:
    from .conf import make
except ImportError:
    from conf import make

def main():
    with tf.Session(config=make()) as sess:
        print(sess.run(tf.constant(1)))

if __name__ == "__main__":
    main()
