import tensorflow as tf
import work

seen = []
config = tf.ConfigProto(device_count={"GPU": 1})
for step in work.STEPS:
    step(seen)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), seen)
getattr(work, "after" + "wards")()
