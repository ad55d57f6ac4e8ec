"""Values behind other arguments: of a function's parameter, of options, computed from a list."""
# expect: safe

import argparse

import tensorflow as tf

threads = [0, 1]


def graph(size):
    made = tf.Graph()
    with made.as_default():
        tf.constant(size)
    return made


def run(soft):
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args([])
    return tf.Session(
        graph=graph(3),
        config=tf.ConfigProto(
            allow_soft_placement=soft,
            intra_op_parallelism_threads=args.threads,
            inter_op_parallelism_threads=len(threads),
        ),
    )


with run(True) as session:
    print(session.run(session.graph.get_operations()[0].outputs[0]))
