import tensorflow.compat.v1 as tf
import lib
def main():
    c = tf.ConfigProto(); c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s: print(s.run(lib.build()))
main()
