import tensorflow as tf
import model
def main(n):
    with tf.Graph().as_default(), tf.Session() as s:
        print(s.run(model.net()) + n)
if __name__ == '__main__':
    main(0)
