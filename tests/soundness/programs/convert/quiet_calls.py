"""An eager program calls TensorFlow before its settings, but nothing that makes the eager context."""
# expect: safe
# tensorflow: 2

import os
import tempfile

import tensorflow as tf

spec = tf.TensorSpec([None, 3], tf.float32)
print(spec.is_compatible_with(tf.TensorSpec.from_spec(spec)), tf.RaggedTensorSpec([None]))
print(tf.SparseTensorSpec([1]), tf.IndexedSlicesSpec())
print(tf.TensorShape([2, None]).merge_with([2, 3]).as_list(), tf.compat.v1.Dimension(3).value)
print(tf.compat.dimension_value(tf.compat.v1.Dimension(3)), tf.compat.v1.dimension_value(3))
print(tf.DeviceSpec.from_string("/gpu:0").to_string(), tf.compat.forward_compatible(2020, 1, 1))
print(tf.as_dtype("float32").size, tf.dtypes.as_dtype("int32").name, tf.is_tensor(3))
print(tf.nest.flatten({"a": 1, "b": [2]}), tf.nest.pack_sequence_as([1, 2], [3, 4]))
print(tf.nest.is_nested([1]), tf.nest.assert_same_structure([1], [2]))
print(tf.test.is_built_with_gpu_support(), tf.compat.path_to_str("a"))
print(tf.compat.v1.GraphDef(), tf.compat.v1.NodeDef(), tf.compat.v1.AttrValue())
print(tf.compat.v1.MetaGraphDef(), tf.compat.v1.RunMetadata())
print(tf.compat.v1.RunOptions(trace_level=tf.compat.v1.RunOptions.FULL_TRACE))
print(tf.compat.v1.Summary(value=[tf.compat.v1.Summary.Value(tag="a", simple_value=1.0)]))
print(tf.io.FixedLenFeature([], tf.int64), tf.io.VarLenFeature(tf.int64))
print(tf.io.FixedLenSequenceFeature([], tf.int64, True))
feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
example = tf.train.Example(features=tf.train.Features(feature={"a": feature}))
print(tf.train.BytesList(value=[b"a"]), tf.train.FloatList(value=[1.0]))
print(tf.train.SequenceExample(), tf.train.FeatureList(), tf.train.FeatureLists())
print(tf.train.ClusterSpec({"a": ["b:1"]}).as_dict(), tf.train.Coordinator().should_stop())
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.tfrecord")
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions()) as writer:
        writer.write(example.SerializeToString())
    print(len(list(tf.compat.v1.io.tf_record_iterator(path))))
    print(tf.train.latest_checkpoint(folder))
try:
    raise tf.errors.NotFoundError(None, None, "none")
except tf.errors.OpError as error:
    print(error.message)
with tf.name_scope("a") as scope:
    print(scope)

config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=3)
config.allow_soft_placement = True
config.gpu_options.allow_growth = True
graph = tf.Graph()
with graph.as_default():
    total = tf.constant(1.0)
with tf.compat.v1.Session(graph=graph, config=config) as sess:
    print(sess.run(total))
