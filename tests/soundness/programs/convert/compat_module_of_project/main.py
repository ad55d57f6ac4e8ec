from pkg import tf

config = tf.compat.v1.ConfigProto(device_count={"GPU": 1})
graph = tf.compat.v1.Graph()
with tf.compat.v1.Session(graph=graph, config=config) as sess:
    print(len(sess.list_devices()))
