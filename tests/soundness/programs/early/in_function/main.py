def main():
    import net
    import tensorflow as tf
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s:
        print(s.run(net.X))
if __name__ == "__main__":
    main()
