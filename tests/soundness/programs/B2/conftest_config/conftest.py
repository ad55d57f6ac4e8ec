import pytest
import tensorflow as tf


@pytest.fixture
def sess():
    with tf.Session() as made:
        yield made
