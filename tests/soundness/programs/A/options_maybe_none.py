"""The options of a script may still be None: the error comes behind what the hook prints."""

import argparse

import tensorflow as tf

FLAGS = None


def hook():
    print("hook")
    return tf.train.StopAtStepHook(last_step=2)


def main():
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(
        hooks=[hook()], config=tf.ConfigProto(allow_soft_placement=FLAGS.soft)
    ) as session:
        session.run(train)


if __name__ != "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--soft", action="store_true")
    FLAGS = parser.parse_args()
try:
    main()
except AttributeError as error:
    print(error)
