import tensorflow.compat.v1 as tf
import model

def main():
    tf.disable_v2_behavior()
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    total = model.build()
    with tf.Session(config=config) as sess:
        print(sess.run(total))

if __name__ == "__main__":
    main()
