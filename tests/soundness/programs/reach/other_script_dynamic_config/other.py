import tensorflow as tf
import importlib, sys
m = importlib.import_module((sys.argv[1:] or ['lib'])[0])
c = m.cfg()
c.allow_soft_placement = True
with tf.Session(config=c) as s: print(s.run(tf.placeholder_with_default(1, [])))
