"""TensorFlow has another name in each branch, and so has what builds the config."""
# argv: two
# tensorflow: 1
import sys

if sys.argv[1] == "one":
    import tensorflow as first

    config = first.ConfigProto()
    session = first.Session
else:
    import tensorflow as second

    config = second.ConfigProto()
    session = second.Session
config.gpu_options.allow_growth = True
if sys.argv[1] == "one":
    sess = first.Session(config=config)
else:
    sess = second.Session(config=config)
print(len(sess.list_devices()))
