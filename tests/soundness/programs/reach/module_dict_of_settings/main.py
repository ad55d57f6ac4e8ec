import settings
import tensorflow as tf
known = {name: value for name, value in settings.__dict__.items() if not name.startswith('_')}
with tf.Session(config=settings.config) as s:
    print(s.run(tf.placeholder_with_default(1, [])))
print(sorted(known))
