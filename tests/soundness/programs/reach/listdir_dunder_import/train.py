import tensorflow as tf
def main():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as s: print(s.run(tf.placeholder_with_default(3, [])))
if __name__ == '__main__': main()
