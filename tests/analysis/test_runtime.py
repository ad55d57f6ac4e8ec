"""Calls that initialise TensorFlow 2's runtime before the settings of a config."""

from __future__ import annotations

import pytest

from tests.tools import RAW, analysed, check_body, check_body_kept, names, source

GROWTH = """for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)"""


def test_settings_move_in_front_of_a_function_that_starts_it() -> None:
    check_body(
        """
        def batches():
            return tf.data.Dataset.range(8).map(lambda x: x + 1)


        # The input.
        data = batches()
        print(data)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        f"""
        def batches():
            return tf.data.Dataset.range(8).map(lambda x: x + 1)


        {GROWTH}

        # The input.
        data = batches()
        print(data)
        sess = tf.Session()
        """.replace("\n\n        # The input.", "\n\n\n        # The input."),
    )


def test_the_move_is_reported() -> None:
    result = analysed(
        RAW + "data = tf.data.Dataset.range(8).map(str)\n"
        "config = tf.ConfigProto()\n"
        "config.gpu_options.allow_growth = True\n"
        "sess = tf.Session(config=config)\n"
    )
    assert "runtime-first" in names(result)


def test_soft_placement_can_be_set_behind_it() -> None:
    check_body(
        """
        data = tf.data.Dataset.range(8).map(str)
        sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
        """,
        """
        data = tf.data.Dataset.range(8).map(str)
        tf.config.set_soft_device_placement(True)
        sess = tf.Session()
        """,
    )


def test_a_map_without_tf_data_starts_nothing() -> None:
    check_body(
        """
        numbers = pool.map(str)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        f"""
        numbers = pool.map(str)
        {GROWTH}
        sess = tf.Session()
        """,
    )


def test_what_comes_behind_the_session_is_no_matter() -> None:
    check_body(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        data = tf.data.Dataset.range(8).map(str)
        """,
        f"""
        {GROWTH}
        sess = tf.Session()
        data = tf.data.Dataset.range(8).map(str)
        """,
    )


def test_an_object_that_is_made_before_anything_starts_it() -> None:
    check_body(
        """
        class Trainer:
            def __init__(self):
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
                self.sess = tf.Session(config=config)


        trainer = Trainer()
        data = tf.data.Dataset.range(8).map(str)
        """,
        """
        class Trainer:
            def __init__(self):
                for gpu in tf.config.list_physical_devices("GPU"):
                    tf.config.experimental.set_memory_growth(gpu, True)
                self.sess = tf.Session()


        trainer = Trainer()
        data = tf.data.Dataset.range(8).map(str)
        """,
    )


def test_a_saver_of_one_file_starts_nothing() -> None:
    check_body(
        """
        saver = tf.train.Saver(sharded=False)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
        f"""
        saver = tf.train.Saver(sharded=False)
        {GROWTH}
        sess = tf.Session()
        """,
    )


KEPT = {
    "a saver of shards in another function": """
        def build():
            return tf.train.Saver(sharded=True)


        def run():
            saver = build()
            if saver:
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
                sess = tf.Session(config=config)
        """,
    "a function that is traced": """
        @tf.function
        def double(x):
            return x + x


        def run():
            four = double(2)
            if four:
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
                sess = tf.Session(config=config)
        """,
    "in front of an object that makes the session": """
        class Trainer:
            def __init__(self):
                config = tf.ConfigProto()
                config.gpu_options.allow_growth = True
                self.sess = tf.Session(config=config)


        data = tf.data.Dataset.range(8).map(str)
        trainer = Trainer()
        """,
    "in a function that runs before": """
        def build():
            return tf.data.Dataset.range(8).map(str)


        def run():
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            return tf.Session(config=config)


        def main():
            data = build()
            run()
        """,
    "in a function that calls itself": """
        def build(depth):
            build(depth - 1)
            return tf.data.Dataset.range(depth).map(str)


        def run():
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            sess = tf.Session(config=config)
            run()


        build(3)
        run()
        """,
    "a value that is made in between": """
        data = tf.data.Dataset.range(8).map(str)
        threads = len(str(data))
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads))
        """,
    "an attribute that is set in between": """
        data = tf.data.Dataset.range(8).map(str)
        flags.threads = 3
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=flags.threads))
        """,
    "a value that does something": """
        data = tf.data.Dataset.range(8).map(str)
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=ask()))
        """,
    "a rank": """
        import horovod.tensorflow as hvd
        data = tf.data.Dataset.range(8).map(str)
        hvd.init()
        config = tf.ConfigProto()
        config.gpu_options.visible_device_list = str(hvd.local_rank())
        sess = tf.Session(config=config)
        """,
    "under a condition": """
        data = tf.data.Dataset.range(8).map(str)
        config = tf.ConfigProto()
        if flag:
            config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        """,
    "a conditional expression": """
        data = tf.data.Dataset.range(8).map(str)
        sess = tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=2) if flag else None)
        """,
    "a helper": """
        def get_config():
            config = tf.ConfigProto()
            config.gpu_options.allow_growth = True
            return config


        data = tf.data.Dataset.range(8).map(str)
        sess = tf.Session(config=get_config())
        """,
    "another session in between": """
        data = tf.data.Dataset.range(8).map(str)
        first = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
        first.close()
        second = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=3))
        """,
    "a long expression": """
        data = tf.data.Dataset.from_tensor_slices(list_of_names_of_all_files).repeat(8).map(str)
        sess = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=ask()))
        """,
}


def test_settings_that_are_the_same_move_past_another_session() -> None:
    threads = "tf.config.threading.set_intra_op_parallelism_threads(2)"
    check_body(
        """
        data = tf.data.Dataset.range(8).map(str)
        first = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
        first.close()
        second = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
        """,
        f"""
        {threads}
        {threads}
        data = tf.data.Dataset.range(8).map(str)
        first = tf.Session()
        first.close()
        second = tf.Session()
        """,
    )


@pytest.mark.parametrize("before", KEPT.values(), ids=list(KEPT))
def test_kept(before: str) -> None:
    check_body_kept(before, "runtime-first")


@pytest.mark.parametrize(
    "text",
    [
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        'train_df = spark.read.csv("a.csv")\n'
        "train_df = train_df.filter(train_df.x > 1)\n",
        "class Dataset:\n    def map(self, function):\n        return self\n\n\n"
        "train = Dataset().map(str)\n",
    ],
)
def test_methods_of_other_objects_start_nothing(text: str) -> None:
    config = "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
    before = f"{text}data = tf.data.Dataset.range(3)\n{config}sess = tf.Session(config=config)\n"
    loop = source(f"        {GROWTH}\n")
    after = f"{text}data = tf.data.Dataset.range(3)\n{loop}sess = tf.Session()\n"
    check_body(before, after)


@pytest.mark.parametrize(
    "line",
    [
        'readers = {"text": tf.data.TextLineDataset}\ndata = readers["text"]("a.txt")',
        "import functools\nread = functools.partial(tf.data.TFRecordDataset)\ndata = read(['a'])",
        "data = [make(['a']) for make in (tf.data.TextLineDataset,)]",
        "from tensorflow.python.framework import config as c\nprint(c.list_logical_devices('GPU'))",
    ],
)
def test_classes_that_are_handed_on_and_private_names_start_it(line: str) -> None:
    result = analysed(
        RAW + f"{line}\nconfig = tf.ConfigProto()\n"
        "config.gpu_options.allow_growth = True\n"
        "sess = tf.Session(config=config)\n"
    )
    assert {"runtime-first", "own-settings"} & {*names(result)}


def test_a_class_of_datasets_that_is_asked_for_starts_nothing() -> None:
    result = analysed(
        RAW + "print(isinstance(3, tf.data.Dataset))\nconfig = tf.ConfigProto()\n"
        "config.gpu_options.allow_growth = True\n"
        "sess = tf.Session(config=config)\n"
    )
    assert "runtime-first" not in names(result)
