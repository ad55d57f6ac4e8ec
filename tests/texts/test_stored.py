"""ConfigProtos as bytes, maps that are handed over whole, and code that cannot be parsed."""

from __future__ import annotations

import pytest

from tests.texts.test_languages import findings
from tfgpu.texts.prototext import Field
from tfgpu.texts.stored import NotAConfigError, fields_of

HERE = (0, 0)
GROWTH = "`gpu_options.allow_growth: true`"
NO_GPU = '`device_count["GPU"]: 0`'
JAVA = "class A {{ void f() {{ ConfigProto.Builder b; {} }} }}"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("A.java", JAVA.format("ConfigProto.parseFrom(new byte[]{50, 2, 32, 1});"), GROWTH),
        ("A.java", JAVA.format("byte[] config = {(byte) 50, 2, 32, 1};"), GROWTH),
        ("a.kt", "val c = ConfigProto.parseFrom(byteArrayOf(50, 2, 32, 1))", GROWTH),
        ("a.scala", "val config: ConfigProto = Array[Byte](50, 2, 32, 1)", GROWTH),
        ("a.go", "o := &tf.SessionOptions{Config: []byte{0x32, 0x02, 0x20, 0x01}}", GROWTH),
        ("a.go", 'o := &tf.SessionOptions{Config: []byte("2\\x02 \\x01")}', GROWTH),
        ("a.c", "char config[] = {0x32, 2, 32, 1}; TF_SetConfig(o, config, 4, s);", GROWTH),
        ("a.go", "cfg := []byte{50, 2, 32, 1}; o := &tf.SessionOptions{Config: cfg}", GROWTH),
        ("a.go", "o := &tf.SessionOptions{Config: stored()}", "`SessionOptions{Config: stored()`"),
        ("A.java", "class A { Session s = new Session(g, Files.readAll(p)); }", "`new Session(g"),
        ("a.cs", "using TensorFlow; byte[] config = new byte[] { 50, 2, 32, 1 };", GROWTH),
        ("A.java", JAVA.format('b.putAllDeviceCount(Map.of("GPU", 0));'), NO_GPU),
        ("A.java", JAVA.format('m.put("GPU", 0); b.putAllDeviceCount(m);'), NO_GPU),
        ("a.kt", 'val b = ConfigProto.newBuilder().putAllDeviceCount(mapOf("GPU" to 0))', NO_GPU),
        ("a.scala", 'object A { val c = ConfigProto().withDeviceCount(Map("GPU" -> 0)) }', NO_GPU),
        ("A.java", JAVA.format("b.putAllDeviceCount(counts());"), "`putAllDeviceCount(counts())`"),
        ("A.java", JAVA.format("ConfigProto.parseFrom(stored);"), "`ConfigProto.parseFrom`"),
        ("a.c", "void f() { TF_SetConfig(o, buffer, n, s); }", "`TF_SetConfig(o, buffer`"),
        ("a.kt", "fun f( { val c = GPUOptions().setAllowGrowth(true)", "`setAllowGrowth`"),
    ],
)  # fmt: skip
def test_what_is_said(name: str, text: str, found: str) -> None:
    (only,) = findings(name, text)
    assert only.message.startswith(found)
    assert only.severity == "note"


@pytest.mark.parametrize(
    "text",
    [
        "class A { int[] sizes = {50, 2, 32, 1}; ConfigProto c; }",
        "class A { byte[] config = {1, 2, 3}; ConfigProto c; }",
        "class A { /* ConfigProto.parseFrom(x) */ String s = \"ConfigProto\"; }",
    ],
)  # fmt: skip
def test_other_bytes(text: str) -> None:
    assert findings("A.java", text) == []


def test_bytes_are_what_protobuf_writes() -> None:
    config_pb2 = pytest.importorskip("tensorflow.core.protobuf.config_pb2")
    config = config_pb2.ConfigProto(
        device_count={"GPU": 0}, intra_op_parallelism_threads=-1, device_filters=["/job:a"]
    )
    config.gpu_options.per_process_gpu_memory_fraction = 0.25
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[512, 1024], priority=[1])
    config.graph_options.rewrite_options.auto_mixed_precision = 1
    found = fields_of(config.SerializeToString(deterministic=True))
    virtual = "gpu_options.experimental.virtual_devices"
    parts = (("memory_limit_mb", 512.0), ("memory_limit_mb", 1024.0), ("priority", 1))
    assert found == (
        Field("device_count", 0, HERE, HERE, key="GPU"),
        Field("intra_op_parallelism_threads", -1, HERE, HERE),
        Field("device_filters", "/job:a", HERE, HERE),
        Field("gpu_options.per_process_gpu_memory_fraction", 0.25, HERE, HERE),
        Field(virtual, None, HERE, HERE, parts=parts),
        Field("graph_options.rewrite_options.auto_mixed_precision", 1, HERE, HERE),
    )


@pytest.mark.parametrize(
    "data", [b"2", b"2\x05 \x01", b"\xff\xff\xff", b"\x0a\x02\x0a\x09", b"3\x01"]
)
def test_bytes_that_are_no_config(data: bytes) -> None:
    with pytest.raises(NotAConfigError):
        fields_of(data)


BUILDS = "ConfigProto.Builder b; b.getGpuOptionsBuilder()\n  .setAllowGrowth(true);"


@pytest.mark.parametrize(
    "text",
    [
        f"class A {{ void f() {{\n/* tfgpu: ignore[allow-growth] shared */\n{BUILDS} }} }}",
        f"class A {{ void f() {{\n/*\n * tfgpu: ignore[allow-growth] shared\n */\n{BUILDS} }} }}",
        f"class A {{ void f() {{\n// tfgpu: ignore[allow-growth] shared\n{BUILDS} }} }}",
        f"class A {{ void f() {{\n{BUILDS} /* tfgpu: ignore[allow-growth] shared */ }} }}",
        f"/* tfgpu: ignore-file[allow-growth] */\nclass A {{ void f() {{ {BUILDS} }} }}",
    ],
)
def test_comments_to_tfgpu(text: str) -> None:
    assert findings("A.java", text) == []
