import tensorflow as tf

setattr(tf, "flag", 1)  # noqa: B010
