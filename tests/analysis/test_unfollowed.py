"""Configs and settings that cannot be followed are told of, whatever they are written like."""

from __future__ import annotations

import pytest

from tests.tools import RAW, analysed, check_noop, names, source
from tfgpu.code.when import When

NEVER, MAYBE, ALWAYS = When.NEVER, When.MAYBE, When.ALWAYS


@pytest.mark.parametrize(
    "text",
    [
        "from project import compat\nconfig = compat.tf1.ConfigProto()\n",
        "from project.tf import compat\nconfig = compat.v1.ConfigProto()\n",
        "from project import ConfigProto\nconfig = ConfigProto()\n",
        "from project import *\nconfig = ConfigProto()\n",
        "def run(module):\n    return module.ConfigProto()\n",
        "class A:\n    def run(self):\n        return self.tf.GPUOptions(allow_growth=True)\n",
        "config = modules['tf'].ConfigProto()\n",
        "config = load().ConfigProto()\n",
    ],
)
def test_constructor_that_is_not_known(text: str) -> None:
    check_noop(text)
    assert "unresolved-name" in names(analysed(text))


@pytest.mark.parametrize(
    "text",
    [
        "class ConfigProto:\n    pass\n\n\nconfig = ConfigProto()\n",
        "def ConfigProto():\n    pass\n\n\nconfig = ConfigProto()\n",
    ],
)
def test_constructor_of_the_file_itself(text: str) -> None:
    assert names(analysed(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "def run(x):\n    x.gpu_options.visible_device_list = '1'\n",
        "self.config.gpu_options.allow_growth = True\n",
        "load().config.gpu_options.per_process_gpu_memory_fraction = 0.5\n",
        "x[0].gpu_options.experimental.use_unified_memory = True\n",
        "x.session_config.allow_soft_placement = True\n",
        "x.session_config.device_count['GPU'] = 0\n",
        "def run(config):\n    config.log_device_placement = True\n",
        "self.sess_config.graph_options.optimizer_options.opt_level = 0  # allow_soft_placement\n",
        "OPTIONS = {'gpu_options.allow_growth': True}\n",
        "def run(gpu_options):\n    gpu_options.allow_growth = True\n",
        "getattr(config, 'gpu_options').allow_growth = True\n",
        "setattr(config.gpu_options, 'allow_growth', True)\n",
        "setattr(reduce(getattr, ['gpu_options'], c), 'allow_growth', True)\n",
        "config.gpu_options.__setattr__('allow_growth', True)\n",
        "run(**{'session.config': {'gpu_options.visible_device_list': '1'}})\n",
    ],
)
def test_setting_that_is_not_followed(text: str) -> None:
    check_noop(text)
    assert names(analysed(text)) == ["unfollowed-setting"]


@pytest.mark.parametrize(
    "text",
    [
        "print(x.gpu_options.allow_growth)\n",
        "x.gpu_options = y\n",
        "x.gpu_options.anything = 1\n",
        "args.allow_soft_placement = True\n",
        "args.allow_growth = True\n",
        "setattr(args, 'allow_growth', True)\n",
        "class A:\n    def __init__(self, opts):\n        self.allow_growth = 1\n"
        "        opts.allow_growth = 1\n",
        "class Config:\n    allow_soft_placement = 0\n\n\nc = config.allow_soft_placement = 1\n",
        "class Config:\n    def __init__(self):\n        self.log_device_placement = 0\n\n\n"
        "config.log_device_placement = 1\n",
    ],
)
def test_what_is_no_such_setting(text: str) -> None:
    assert names(analysed(text)) == []


def test_settings_of_a_config_are_no_others() -> None:
    text = source(
        """
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        config.allow_soft_placement = True
        config.device_count["GPU"] = 1
        sess = tf.Session(config=config)
        """
    )
    assert "unfollowed-setting" not in names(analysed(RAW + text))


@pytest.mark.parametrize(
    "line",
    [
        "config.gpu_options.ClearField('allow_growth')",
        "config.gpu_options.Clear()",
        "config.Clear()",
        "config.gpu_options.CopyFrom(tf.GPUOptions())",
        "config.CopyFrom(tf.ConfigProto())",
    ],
)
def test_setting_that_is_taken_back_belongs_to_its_config(line: str) -> None:
    text = (
        f"{RAW}config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n{line}\n"
        "sess = tf.Session(config=config)\n"
    )
    assert "unfollowed-setting" not in names(analysed(text))
