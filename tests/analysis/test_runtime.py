"""Settings behind a call that starts the runtime of TensorFlow 2."""

from __future__ import annotations

from tests.tools import check_body, check_body_kept

BEFORE = """
        import horovod.tensorflow as hvd

        def main():
            data = tf.data.TFRecordDataset(names)
            hvd.init()
            config = tf.ConfigProto()
            config.gpu_options.visible_device_list = {}
            sess = tf.Session(config=config)
        """


def test_settings_move_in_front_of_the_call() -> None:
    check_body(
        BEFORE.format('"1"'),
        """
        import horovod.tensorflow as hvd

        def main():
            gpus = tf.config.list_physical_devices("GPU")
            if gpus:
                tf.config.set_visible_devices(gpus[1], "GPU")
            data = tf.data.TFRecordDataset(names)
            hvd.init()
            sess = tf.Session()
        """,
    )


def test_rank_is_not_asked_for_before_horovod_is_initialised() -> None:
    check_body_kept(BEFORE.format("str(hvd.local_rank())"), "runtime-first")
