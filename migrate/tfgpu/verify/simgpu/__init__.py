"""Simulated GPUs: TensorFlow's own GPU runtime on a CUDA driver that has no hardware.

`csrc/` is the driver, `build` compiles it for an installed TensorFlow, `gpus` says which GPUs there
are, `launch` runs a command on them, `events` reads what the driver wrote down.
"""
