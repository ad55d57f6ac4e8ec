"""cuDNN's recurrent networks, as raw operations: LSTM and GRU, forward and backward."""

import tensorflow as tf

STEPS, BATCH, INPUTS, HIDDEN = 5, 4, 8, 16
x = tf.random.normal([STEPS, BATCH, INPUTS])
state = tf.zeros([1, BATCH, HIDDEN])
for mode in ("lstm", "gru", "rnn_tanh"):
    size = tf.raw_ops.CudnnRNNParamsSize(
        num_layers=1,
        num_units=HIDDEN,
        input_size=INPUTS,
        T=tf.float32,
        S=tf.int32,
        rnn_mode=mode,
    )
    gates = {"lstm": 4, "gru": 3, "rnn_tanh": 1}[mode]
    assert int(size[0]) == gates * HIDDEN * (INPUTS + HIDDEN + 2), (mode, size)
    weights = tf.random.normal(size)
    with tf.GradientTape() as tape:
        tape.watch([x, weights])
        result = tf.raw_ops.CudnnRNNV3(
            input=x,
            input_h=state,
            input_c=state,
            params=weights,
            sequence_lengths=tf.fill([BATCH], STEPS),
            rnn_mode=mode,
            is_training=True,
        )
        total = tf.reduce_sum(result.output)
    assert result.output.shape == (STEPS, BATCH, HIDDEN)
    assert tape.gradient(total, weights).shape == weights.shape
print("ok")
