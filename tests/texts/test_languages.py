"""ConfigProtos that other languages build, and gin files bind: every field by the rule it has."""

from __future__ import annotations

import importlib

import pytest

from tests.tools import book
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.report.summary import Summary
from tfgpu.report.text import summary_lines
from tfgpu.results import Finding, Result
from tfgpu.texts import builders


def audited(name: str, text: str, inventory: bool = False) -> Result:
    job = Job(Options(), rewrite=False, kinds=EVERY, inventory=inventory)
    (result,) = process({name: text.encode()}, job, book())
    assert result.reason is None
    return result


def findings(name: str, text: str) -> list[Finding]:
    return audited(name, text).findings


JAVA = [
    "b = ConfigProto.newBuilder().setGpuOptions(GPUOptions.newBuilder().setAllowGrowth(true));",
    "b.getGpuOptionsBuilder().setAllowGrowth(true);",
    "GPUOptions gpu = GPUOptions.newBuilder().setAllowGrowth(true).build();",
]
CPP = [
    "options.config.mutable_gpu_options()->set_allow_growth(true);",
    "auto* gpu = config.mutable_gpu_options(); gpu->set_allow_growth(true);",
    "tensorflow::GPUOptions gpu_options; gpu_options.set_allow_growth(true);",
]
GO = [
    "c := &pb.ConfigProto{GpuOptions: &pb.GPUOptions{AllowGrowth: true}}",
    "config.GpuOptions.AllowGrowth = true",
    "gpu := pb.GPUOptions{AllowGrowth: proto.Bool(true)}",
]
C_SHARP = [
    "var c = new ConfigProto { GpuOptions = new GPUOptions { AllowGrowth = true } };",
    "config.GpuOptions.AllowGrowth = true;",
    "config.GpuOptions = new GPUOptions() { AllowGrowth = true };",
]
SCALA = [
    "val c = ConfigProto.newBuilder().setGpuOptions(GPUOptions.newBuilder().setAllowGrowth(true))",
    "val c = ConfigProto(gpuOptions = Some(GPUOptions(allowGrowth = true)))",
    "val c = GPUOptions().withAllowGrowth(true)",
]
KOTLIN = [
    "val c = GPUOptions.newBuilder().setAllowGrowth(true).build()",
    "val c = configProto { gpuOptions = gPUOptions { allowGrowth = true } }",
    "b.gpuOptionsBuilder.setAllowGrowth(true)",
]
R = [
    "config <- tf$ConfigProto(gpu_options = tf$GPUOptions(allow_growth = TRUE))",
    "config <- tf$ConfigProto()\nconfig$gpu_options$allow_growth <- TRUE",
    "gpu_options = tf$compat$v1$GPUOptions('allow_growth' = TRUE)",
]
GIN = [
    "tf.GPUOptions.allow_growth = True",
    "GROWTH = True\ntrain/GPUOptions.allow_growth = %GROWTH",
    "make_session.allow_growth = True  # for all",
]
FRAMES = {
    "A.java": ("class A { void f() {\n%s\n} }", JAVA),
    "a.cc": ("void f() {\n%s\n}", CPP),
    "a.go": ("package a\nfunc f() {\n%s\n}", GO),
    "A.cs": ("class A { void F() {\n%s\n} }", C_SHARP),
    "A.scala": ("object A {\n%s\n}", SCALA),
    "A.kt": ("fun f() {\n%s\n}", KOTLIN),
    "a.R": ("%s\n", R),
    "a.gin": ("%s\n", GIN),
}
CASES = [(name, frame % code) for name, (frame, codes) in FRAMES.items() for code in codes]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_growth_has_its_rule_in_every_language(name: str, text: str) -> None:
    (found,) = findings(name, text)
    assert found.code == "TFG101"
    assert found.snippet[found.column - 1 :].strip("'").lower().startswith(("set", "with", "allow"))
    assert "set_memory_growth" in found.todo
    assert found.severity == ("warning" if name in ("a.R", "a.gin") else "note")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A.java", 'class A { String s = "setAllowGrowth(true)"; /* b.setAllowGrowth(true); */ }'),
        ("A.java", "class A { void f() { b.setRemapping(true); b.setNodeId(1); } }"),
        ("a.cc", "void f() { if (gpu_options.allow_growth()) return; opts.allow_growth = true; }"),
        ("a.cc", "// config.mutable_gpu_options()->set_allow_growth(true)\n"),
        ("a.go", "package a\nfunc f() bool { return c.GpuOptions.AllowGrowth == true }\n"),
        ("a.R", "# tf$GPUOptions(allow_growth = TRUE)\nprint('allow_growth = TRUE')\n"),
        ("a.R", "if (gpu_options$allow_growth == TRUE) print(1)\n"),
        ("a.gin", "# tf.GPUOptions.allow_growth = True\nTrainer.growth = True\n"),
        ("a.gin", "tf.ConfigProto.gpu_options = @tf.GPUOptions()\n"),
    ],
)
def test_what_sets_nothing_is_left_in_peace(name: str, text: str) -> None:
    assert findings(name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "settings"),
    [
        (
            "a.cc",
            'void f() { (*c.mutable_device_count())["GPU"] = 0;\n'
            'c.mutable_device_count()->insert({"CPU", 2}); g->set_visible_device_list("0,1"); }',
            [("device_count", "0"), ("device_count", "2"), ("visible_device_list", '"0,1"')],
        ),
        (
            "A.java",
            'class A { void f() { b.putDeviceCount("GPU", 0).setIntraOpParallelismThreads(n);\n'
            "o.setGlobalJitLevel(OptimizerOptions.GlobalJitLevel.ON_1); } }",
            [
                ("device_count", "0"),
                ("intra_op_parallelism_threads", "..."),
                ("global_jit_level", "ON_1"),
            ],
        ),
        (
            "a.go",
            'package a\nvar c = pb.ConfigProto{DeviceCount: map[string]int32{"GPU": 0},\n'
            "GpuOptions: &pb.GPUOptions{PerProcessGpuMemoryFraction: 0.4}}",
            [("device_count", "0"), ("per_process_gpu_memory_fraction", "0.4")],
        ),
        (
            "a.R",
            "tf$ConfigProto(device_count = list(GPU = 0L), intra_op_parallelism_threads = 2L + n)",
            [("device_count", "0"), ("intra_op_parallelism_threads", "...")],
        ),
        ("a.gin", "ConfigProto.device_count = {'GPU': 0}", [("device_count", "0")]),
    ],
)
def test_values_are_rows_of_the_inventory(
    name: str, text: str, settings: list[tuple[str, str]]
) -> None:
    rows = audited(name, text, inventory=True).inventory
    found = [(row.setting.partition("[")[0].rpartition(".")[2], row.value) for row in rows]
    assert found == settings


def test_a_wrong_name_is_an_error_where_it_is_one_of_python() -> None:
    (found,) = findings("a.gin", "tf.GPUOptions.allow_grow = True\n")
    assert (found.code, found.severity) == ("TFG910", "error")


def test_fields_of_two_functions_are_two_configs() -> None:
    text = (
        "void f(tensorflow::GPUOptions* g) { g->set_allow_growth(true); }\n"
        "void h() { g->set_per_process_gpu_memory_fraction(0.5); }\n"
    )
    assert [item.code for item in findings("a.cc", text)] == ["TFG101", "TFG102"]


def test_without_the_extra_one_line_counts_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    builders._parser.cache_clear()
    monkeypatch.setattr(builders, "import_module", missing)
    summary = Summary()
    for name in ("a.cc", "b.cc", "A.java", "a.R"):
        summary.add(audited(name, dict(CASES).get(name, "ConfigProto")))
    builders._parser.cache_clear()
    assert importlib.import_module is not missing
    assert summary.exit_code(found=False) == 0
    assert list(summary_lines(summary, book()))[1] == (
        "3 files in C++, Java with a ConfigProto not read: install tfgpu[languages]"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A.java", "class Feed { /* ConfigProto */ void f() { b.setAllowGrowth(true); } }"),
        ("a.go", "package a\n// ConfigProto\nvar o = &Options{AllowGrowth: true}"),
        ("a.scala", "object A { val gpu = GPUOptions.newBuilder().build() }"),
        ("a.kt", "fun f() { val allowGrowth = GPUOptions.getDefaultInstance().x }"),
    ],
)
def test_names_of_other_things_are_left_in_peace(name: str, text: str) -> None:
    assert findings(name, text) == []


def test_values_of_a_repeated_field_are_of_one_config() -> None:
    text = (
        'class A { ConfigProto c = ConfigProto.newBuilder().addDeviceFilters("/job:a")'
        '.addDeviceFilters("/job:b").addDeviceFilters("/job:c").build(); }'
    )
    config, _ = builders.built_configs(text, "Java", book())
    assert [[field.value for field in fields] for fields in config] == [
        ["/job:a", "/job:b", "/job:c"]
    ]
    assert [item.code for item in findings("A.java", text)] == ["TFG650"] * 3
