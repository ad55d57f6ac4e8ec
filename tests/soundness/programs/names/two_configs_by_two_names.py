"""Each of two configs is of a TensorFlow that has a name in its own runs only."""
# argv: two
# tensorflow: 1
import sys

if sys.argv[1] == "one":
    import tensorflow as first
else:
    import tensorflow as second


def one():
    config = first.ConfigProto()
    config.gpu_options.allow_growth = True
    return first.Session(config=config)


def two():
    config = second.ConfigProto()
    config.gpu_options.allow_growth = True
    return second.Session(config=config)


sess = one() if sys.argv[1] == "one" else two()
print(len(sess.list_devices()))
