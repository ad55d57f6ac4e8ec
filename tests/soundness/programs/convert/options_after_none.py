"""The options are None at the top of a script, which parses them below: TensorFlow's tutorials."""
# expect: safe
# argv: --log_device_placement

import argparse

import tensorflow as tf

FLAGS = None


def main(_):
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        train = tf.assign_add(step, 1)
        with tf.train.MonitoredTrainingSession(
            hooks=[tf.train.StopAtStepHook(last_step=FLAGS.max_steps)],
            config=tf.ConfigProto(
                log_device_placement=FLAGS.log_device_placement,
                gpu_options=tf.GPUOptions(allow_growth=True),
            ),
        ) as session:
            print(session.run(train), session.should_stop())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max_steps", type=int, default=2)
    parser.add_argument("--log_device_placement", action="store_true")
    FLAGS, _ = parser.parse_known_args()
    main(None)
