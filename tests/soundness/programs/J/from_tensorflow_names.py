"""Names are imported one by one from tensorflow, some exist only in TensorFlow 1."""

from tensorflow import ConfigProto, GPUOptions, Session, placeholder, float32

x = placeholder(float32, [None])
with Session(config=ConfigProto(gpu_options=GPUOptions(allow_growth=True))) as sess:
    print(sess.run(x, {x: [1.0]})[0])
