"""copy.deepcopy makes an evaluation config out of the training config."""

import copy

import tensorflow as tf

train = tf.ConfigProto(allow_soft_placement=True)
train.gpu_options.allow_growth = True
evaluation = copy.deepcopy(train)
evaluation.device_count["GPU"] = 0
for config in (train, evaluation):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
