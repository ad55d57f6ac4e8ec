"""Which calls of methods are those of a tf.data.Dataset."""

from __future__ import annotations

import ast

import pytest

from tests.tools import source
from tfgpu.code.classes import Classes
from tfgpu.code.origins import Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.when import When
from tfgpu.flow.datasets import Datasets

RANGE = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n"


def last_call(text: str) -> When:
    """Return the answer for the call of a method in the last place of a program."""
    text = source(text)
    tree = Tree(ast.parse(text), text)
    symbols = Symbols(tree)
    methods = [call.func for call in tree.calls if isinstance(call.func, ast.Attribute)]
    found = [method for method in methods if method.attr in ("map", "filter")]
    origins = Origins(tree, symbols, Classes(tree, symbols))
    return Datasets(tree, symbols, origins).is_method(found[-1], When.MAYBE)


@pytest.mark.parametrize(
    "text",
    [
        "ds.map(f)\n",
        "ds.batch(2).filter(f)\n",
        "ds = ds.shuffle(9)\nds = ds.repeat()\nds.map(f)\n",
        "x = y = ds\nx.map(f)\n",
        "tf.data.TFRecordDataset('a').map(f)\n",
        "(ds if a else ds.take(1)).map(f)\n",
        "def make():\n    return tf.data.Dataset.range(3)\nmake().map(f)\n",
        "class A:\n    def __init__(self):\n        self.ds = ds\n"
        "    def go(self):\n        self.ds.map(f)\n",
        "class A(tf.data.Dataset):\n    pass\nA().map(f)\n",
        "def go(x: tf.data.Dataset):\n    x.map(f)\n",
        "tf.keras.utils.image_dataset_from_directory('a').map(f)\n",
        "from tensorflow.data import Dataset as D\nD.range(3).map(f)\n",
        "(one := ds).map(f)\n",
        "[ds][0].map(f)\n",
        "for x in [ds]:\n    x.map(f)\n",
        "for _ in range(3):\n    ds = ds.map(f)\n",
        "class A:\n    @property\n    def ds(self):\n        return ds\nA().ds.map(f)\n",
        "from functools import cached_property\nclass A:\n    @cached_property\n"
        "    def ds(self):\n        return ds\n    def go(self):\n        self.ds.map(f)\n",
    ],
)
def test_method_of_a_dataset(text: str) -> None:
    assert last_call(RANGE + text) is When.ALWAYS


@pytest.mark.parametrize(
    "text",
    [
        "[1].map(f)\n",
        "import pandas as pd\npd.read_csv('a').filter(f)\n",
        "import pandas as pd\npd.read_csv('a')['b'].map(f)\n",
        "from pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\ndf = spark.read.csv('a')\ndf.filter(f)\n",
        "from multiprocessing import Pool\nPool(3).map(f, x)\n",
        "from multiprocessing import Pool\nwith Pool(3) as pool:\n    pool.map(f, x)\n",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor() as pool:\n    pool.map(f, x)\n",
        "class Dataset:\n    def map(self, f):\n        pass\nDataset().map(f)\n",
        "class Dataset:\n    def map(self, f):\n        pass\nd = Dataset()\nd.map(f)\n",
        "class A:\n    def map(self, f):\n        pass\n    def go(self):\n        self.map(f)\n",
        "class A:\n    def map(self, f):\n        pass\nclass B(A):\n    pass\nB().map(f)\n",
        "class A:\n    def map(self, f):\n        pass\ndef go(a: A):\n    a.map(f)\n",
        "class A:\n    def map(self, f):\n        pass\nclass B:\n    def __init__(self):\n"
        "        self.a = A()\n    def go(self):\n        self.a.map(f)\n",
        "import torch\ntorch.utils.data.DataLoader(x).dataset.filter(f)\n",
        "import dask.dataframe as dd\ndef load():\n    return dd.read_csv('a')\nload().map(f)\n",
        "tf.map_fn(f, x)\nfrom re import sub as map\nimport x.y as z\n''.map(f)\n",
    ],
)
def test_method_of_something_else(text: str) -> None:
    assert last_call(RANGE + text) is When.NEVER


@pytest.mark.parametrize(
    "text",
    [
        "def go(x):\n    x.map(f)\n",
        "x = []\nx.append(ds)\nx.pop().map(f)\n",
        "for x in [ds, 1]:\n    x.map(f)\n",
        "if a:\n    x = [1]\nelse:\n    x = ds\nx.map(f)\n",
        "import unknown\nunknown.load().map(f)\n",
        "import tensorflow_datasets as tfds\ntfds.load('mnist')['train'].map(f)\n",
        "class A(B):\n    pass\nA().map(f)\n",
        "getattr(a, 'b').map(f)\n",
        "{'a': ds}.get('a').map(f)\n",
        "import json\nx = json\nobject_of_another_file.map(f)\n",
        "ds.options().map(f)\nds.__iter__().map(f)\n",
        "def one(x):\n    return x\none(ds).map(f)\n",
        "class A:\n    pass\na = A()\na.ds = ds\na.ds.map(f)\n",
        "class A:\n    @property\n    def ds(self):\n        return 1\n"
        "class B(A):\n    @property\n    def ds(self):\n        return ds\n"
        "def go(a: A):\n    a.ds.map(f)\n",
        "class A:\n    @property\n    def ds(self):\n        return ds\n"
        "    @ds.setter\n    def ds(self, value):\n        pass\nA().ds.map(f)\n",
        "class A:\n    @unknown\n    def ds(self):\n        return ds\nA().ds.map(f)\n",
    ],
)
def test_method_of_what_may_be_one(text: str) -> None:
    assert last_call(RANGE + text) is When.MAYBE
