"""A mock stands for tf.Session and is asked what it was called with."""

from unittest import mock
import tensorflow as tf
config = tf.ConfigProto(allow_soft_placement=True)
with mock.patch.object(tf, 'Session') as S:
    tf.Session(config=config)
    print(S.call_args.kwargs.keys())
