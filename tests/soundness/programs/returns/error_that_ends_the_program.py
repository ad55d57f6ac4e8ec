"""An error behind the constructor ends all that could make a session."""
# expect: safe
# argv: 3
import sys
import tensorflow as tf
def make_config():
    config = tf.ConfigProto(allow_soft_placement=True)
    int(sys.argv[1])
    return config
def main():
    with tf.Session(config=make_config()) as sess:
        print(sess.run(tf.constant(1)))
try:
    main()
except IndexError:
    print("no argument")
