import tensorflow as tf
def main():
    config = tf.ConfigProto(device_count={'GPU': 1})
    with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(3, [])))
if __name__ == '__main__': main()
