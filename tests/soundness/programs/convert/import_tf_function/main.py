from common import import_tf

tf = import_tf()
config = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
