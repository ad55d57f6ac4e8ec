import tensorflow as tf

if __name__ == "__main__":
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
        print(len(sess.list_devices()))
