"""Flags are the values of a config behind arguments that leave them alone: TensorFlow's CIFAR-10."""
# expect: safe
# argv: --log_device_placement

import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("max_steps", 2, "")
tf.app.flags.DEFINE_boolean("log_device_placement", False, "")


class Logger(tf.train.SessionRunHook):
    def begin(self):
        self._step = -1

    def before_run(self, run_context):
        self._step += 1

    def after_run(self, run_context, run_values):
        print("step", self._step)


def main(argv=None):
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        train = tf.assign_add(step, 1)
        with tf.train.MonitoredTrainingSession(
            hooks=[tf.train.StopAtStepHook(last_step=FLAGS.max_steps), Logger()],
            config=tf.ConfigProto(
                log_device_placement=FLAGS.log_device_placement,
                gpu_options=tf.GPUOptions(allow_growth=True),
            ),
        ) as session:
            print(session.run(train), session.should_stop())


if __name__ == "__main__":
    tf.app.run()
