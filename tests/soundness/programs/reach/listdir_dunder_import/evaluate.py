import tensorflow as tf
def main():
    with tf.Graph().as_default(), tf.device('/gpu:6'):
        x = tf.placeholder_with_default(1., []) + 1.
        with tf.Session() as s:
            try: print(s.run(x))
            except Exception as e: print(type(e).__name__)
if __name__ == '__main__': main()
