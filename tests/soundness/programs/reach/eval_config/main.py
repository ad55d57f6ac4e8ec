import tensorflow as tf
def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    name = 'config'
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
    print(eval(name + '.gpu_options.allow_growth'))
main()
