"""Configs that are replaced, merged and cleared, and names in chains: before and after, on runs."""

from __future__ import annotations

import pytest

from tests.tools import migrated, source
from tests.verify.server import Server, describe
from tfgpu.verify.verdict import Outcome

HEAD = """
import tensorflow as tf

a = tf.GPUOptions(visible_device_list="1", per_process_gpu_memory_fraction=0.5)
b = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto()
"""
SESSION = """
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
"""


@pytest.mark.parametrize(
    "changes",
    [
        "config.gpu_options.CopyFrom(a)\nconfig.gpu_options.CopyFrom(b)\n",
        "config.gpu_options.MergeFrom(a)\nconfig.gpu_options.Clear()\n"
        "config.gpu_options.MergeFrom(b)\n",
        "config.gpu_options.CopyFrom(a)\nconfig.ClearField('gpu_options')\n"
        "config.gpu_options.MergeFrom(b)\n",
        "config.gpu_options.force_gpu_compatible = False\nconfig.gpu_options.MergeFrom(b)\n"
        "config.gpu_options.CopyFrom(a)\n",
        "config.gpu_options.CopyFrom(b)\nconfig.gpu_options.SetInParent()\n"
        "config.device_count.update(GPU=1)\nconfig.gpu_options.CopyFrom(a)\n",
    ],
)
def test_messages(changes: str, server: Server) -> None:
    used = [
        line
        for line in HEAD.splitlines()
        if not line.startswith(("a =", "b =")) or f"({line[0]})" in changes
    ]
    before = "\n".join(used) + "\n" + changes + SESSION
    after = migrated(before)
    assert "ConfigProto" not in after
    verdict = server.verdict(source(before), after)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
