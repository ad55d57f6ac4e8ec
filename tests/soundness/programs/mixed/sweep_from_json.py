"""A sweep reads its settings from a text; each trial has some of them."""

import json

import tensorflow as tf

TRIALS = json.loads('[{"soft": true, "gpus": 2}, {"gpus": 1}, {"soft": false, "growth": true}]')
for trial in TRIALS:
    config = tf.ConfigProto(device_count={"GPU": trial.get("gpus", 2)})
    config.allow_soft_placement = trial.get("soft", False)
    if trial.get("growth"):
        config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))
