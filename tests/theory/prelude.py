"""What every program of these tests begins with; the names of tf.config that 1.15 and 2.21 have."""

PRELUDE = r'''import json
import os
import threading


def note(name, value):
    """Write down a fact."""
    print("\n@@" + json.dumps([name, value]), flush=True)


def gpus():
    return tf.config.experimental.list_physical_devices("GPU")


def cpu():
    return tf.config.experimental.list_physical_devices("CPU")[0]


def vis(devices):
    tf.config.experimental.set_visible_devices(devices, "GPU")


def grow(value, devices=None):
    for device in gpus() if devices is None else devices:
        tf.config.experimental.set_memory_growth(device, value)


def logical(device, *limits):
    """Split a device; None is no limit."""
    make = tf.config.experimental.VirtualDeviceConfiguration
    parts = [make() if limit is None else make(memory_limit=limit) for limit in limits]
    tf.config.experimental.set_virtual_device_configuration(device, parts)


def config(**fields):
    """Make a ConfigProto; fields of its gpu_options come with the others."""
    made = tf.ConfigProto()
    for name, value in fields.items():
        if name == "device_count":
            made.device_count.update(value)
        elif name == "virtual":
            for limits in value:
                made.gpu_options.experimental.virtual_devices.add(memory_limit_mb=limits)
        elif hasattr(made, name):
            setattr(made, name, value)
        else:
            setattr(made.gpu_options, name, value)
    return made


def shown(session):
    """Return the GPUs that a session has, with their limits in MiB."""
    return {
        device.name.rpartition("device:")[2]: device.memory_limit_bytes >> 20
        for device in session.list_devices()
        if device.device_type == "GPU"
    }


def touch(session, *numbers):
    """Let a session use some of its GPUs, or all of them."""
    for name in [f"GPU:{number}" for number in numbers] or sorted(shown(session)):
        with session.graph.as_default(), tf.device(f"/{name}"):
            drawn = tf.random.uniform([8])
        session.run(drawn)


def soft(session):
    """Tell whether a session takes another device where the wanted one is not there."""
    with session.graph.as_default(), tf.device("/gpu:7"):
        drawn = tf.random.uniform([8])
    return tried(lambda: session.run(drawn)) == "ran"


def tried(action):
    """Return the name of the exception that an action raises, "ran" where it raises none."""
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return "ran"


def eager_context():
    """Make TensorFlow 2's eager context, as graph programs do without knowing."""
    tf.data.Dataset.range(3).map(lambda number: number + 1)


def has_eager_context():
    from tensorflow.python.eager import context

    made = context._context
    return made is not None and made._context_handle is not None


def given(session):
    """Return the text of the config that a session was made with."""
    return str(session._config)
'''
