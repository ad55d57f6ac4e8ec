"""Horovod for Keras."""

from ...operations import *  # noqa: F403
from ...ranks import *  # noqa: F403
