"""Names imported one by one: a kept config and a converted one in the same file."""

from tensorflow import ConfigProto, Graph, Session, random_uniform


def run(config):
    with Graph().as_default(), Session(config=config) as sess:
        sess.run(random_uniform([8]))


run(ConfigProto(operation_timeout_in_ms=20000))
with Session(config=ConfigProto(log_device_placement=False, allow_soft_placement=True)) as sess:
    sess.run(random_uniform([8]))
