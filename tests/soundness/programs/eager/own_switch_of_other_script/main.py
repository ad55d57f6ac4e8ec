import tensorflow.compat.v1 as tf
import model
tf.disable_eager_execution()

def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    total = model.build()
    with tf.Session(config=config) as sess:
        print(total is not None)

if __name__ == "__main__":
    main()
