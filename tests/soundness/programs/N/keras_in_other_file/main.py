import model
import tensorflow as tf

with tf.Session(graph=tf.Graph(), config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    print(len(sess.list_devices()))
print(model.predict())
