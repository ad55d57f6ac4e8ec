"""A server makes a session per request; each request says whether it may use the GPU."""

import tensorflow as tf

CPU = tf.ConfigProto(device_count={"GPU": 0})


def handle(request):
    config = CPU if request["cpu"] else None
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        return len(sess.list_devices())


print([handle({"cpu": cpu}) for cpu in (True, False, True, False)])
