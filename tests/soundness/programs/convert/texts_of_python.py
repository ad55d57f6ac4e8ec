"""Methods of texts that modules of Python give run before the settings."""
# expect: safe
# variables: NAMES=a,b

import csv
import hashlib
import io
import os
import pathlib

import tensorflow as tf

print(os.environ["NAMES"].split(","), hashlib.md5(b"a").hexdigest().upper())
for row in csv.reader(["a,b"]):
    print(row[0].upper())
for _, _, files in os.walk(os.path.join("none", "such")):
    print(files[0].upper())
print((pathlib.Path("none") / "such").with_suffix(".txt").name.upper())
print(io.StringIO("a b").read().split())

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
