"""The configs of a random program: their fields and values, how they are built and handed on."""

from __future__ import annotations

from tests.differential.files import CONDITIONS, Lines, Module, indented
from tests.differential.values import Values

_FLAG = "FLAG?"
# Fields of configs with their weights, and their values with theirs.
_FIELDS = (
    (12, "gpu_options.allow_growth", (("True", 9), ("False", 1), (_FLAG, 1))),
    (
        6,
        "gpu_options.per_process_gpu_memory_fraction",
        (("0.5", 6), ("0.25", 2), (f"(0.5 if {_FLAG} else 0.25)", 2)),
    ),
    (
        5,
        "gpu_options.visible_device_list",
        (("'0'", 5), ("'1'", 4), ("'0,1'", 2), ("'1,0'", 1), (f"('1' if {_FLAG} else '0')", 2)),
    ),
    (4, "device_count", (("{'GPU': 0}", 1), ("{'GPU': 1}", 1))),
    (1, "device_count", (("{'CPU': 1}", 1), ("{'CPU': 2}", 2))),
    (7, "allow_soft_placement", (("True", 9), ("False", 1), (_FLAG, 1))),
    (3, "log_device_placement", (("True", 3), ("False", 1), (_FLAG, 1))),
    (2, "inter_op_parallelism_threads", (("3", 4), ("5", 2), ("-1", 1))),
    (2, "intra_op_parallelism_threads", (("2", 2), ("3", 1))),
    (
        2,
        "graph_options.optimizer_options.global_jit_level",
        (("OptimizerOptions.ON_1", 2), ("OptimizerOptions.OFF", 1)),
    ),
    (
        1,
        "graph_options.rewrite_options.constant_folding",
        (("rewriter_config_pb2.RewriterConfig.OFF", 1),),
    ),
    (1, "virtual_devices", (("1024", 1), ("1024, 512", 1))),
    (1, "operation_timeout_in_ms", (("60000", 1),)),
    (1, "graph_options.place_pruned_graph", (("True", 1),)),
)


class Configs(Values):
    """Writes configs."""

    def _fields(self, module: Module) -> tuple[dict[str, str], dict[str, str], Lines]:
        """Return fields of a config, those of its GPU options, and statements on `config`."""
        if self._known is None or not self._alike:
            count = self._pick({0: 1, 1: 6, 2: 5, 3: 2})
            kinds = {row: row[0] for row in _FIELDS}
            chosen = [self._pick(kinds) for _ in range(count)]
            self._known = [
                (path, self._pick(dict(values)).replace(_FLAG, self._pick(CONDITIONS)))
                for _, path, values in chosen
            ]
        top: dict[str, str] = {}
        gpu: dict[str, str] = {}
        more: Lines = []
        for path, known in self._known:
            value = self._value(module, known)
            for name in ("os", "sys"):
                if f"{name}." in value:
                    module.need(f"import {name}")
            if "rewriter" in value:
                module.need("from tensorflow.core.protobuf import rewriter_config_pb2")
            if path == "virtual_devices":  # one entry for each of the two cards
                added = "config.gpu_options.experimental.virtual_devices.add"
                more += [f"{added}(memory_limit_mb=[{limits}])" for limits in (value, "2048")]
            elif path.startswith("gpu_options."):
                gpu[path.removeprefix("gpu_options.")] = value
            elif "." in path:
                spelled = value.replace("OptimizerOptions", module.v1("OptimizerOptions"))
                more.append(f"config.{path} = {spelled}")
            else:
                top[path] = value
        return top, gpu, more

    def _build(self, module: Module, name: str) -> Lines:
        """Return statements that make a config, in a variable."""
        top, gpu, more = self._fields(module)
        proto, options = module.v1("ConfigProto"), module.v1("GPUOptions")
        keywords = ", ".join(f"{key}={value}" for key, value in gpu.items())
        way = self._pick(
            {"keywords": 4, "fields": 5, "variable": 2, "copy": 1, "merge": 1, "whole": 1}
        )
        lines: Lines = []
        if way == "keywords":
            given = [f"{key}={value}" for key, value in top.items()]
            given += [f"gpu_options={options}({keywords})"] if gpu else []
            lines = [f"config = {proto}({', '.join(given)})"]
        elif way == "variable" and gpu:
            given = [f"{key}={value}" for key, value in top.items()]
            lines = [
                f"gpu_options = {options}({keywords})",
                f"config = {proto}({', '.join([*given, 'gpu_options=gpu_options'])})",
            ]
        else:
            lines = [f"config = {proto}()"]
            for key, value in top.items():
                if key == "device_count":
                    kind, count = value.strip("{}").split(": ")
                    lines.append(f"config.device_count[{kind}] = {count}")
                elif way == "merge":
                    lines.append(f"config.MergeFrom({proto}({key}={value}))")
                else:
                    lines.append(f"config.{key} = {value}")
            if way == "copy" and gpu:
                lines.append(f"config.gpu_options.CopyFrom({options}({keywords}))")
            elif way == "merge" and gpu:
                lines.append(f"config.gpu_options.MergeFrom({options}({keywords}))")
            else:
                lines += [f"config.gpu_options.{key} = {value}" for key, value in gpu.items()]
        if way == "whole":
            lines += [f"merged = {proto}()", "merged.MergeFrom(config)", "config = merged"]
        return [line.replace("config", name, 1) if name != "config" else line
                for line in [*lines, *more]]  # fmt: skip

    def _config(self, module: Module) -> tuple[Lines, str]:
        """Return statements in front of a session, and the expression of its config."""
        way = self._pick({"here": 8, "helper": 5, "global": 3, "inline": 2, "class": 1})
        if way == "inline":
            top, gpu, more = self._fields(module)
            if not more:
                given = [f"{key}={value}" for key, value in top.items()]
                inner = ", ".join(f"{key}={value}" for key, value in gpu.items())
                given += [f"gpu_options={module.v1('GPUOptions')}({inner})"] if gpu else []
                return [], f"{module.v1('ConfigProto')}({', '.join(given)})"
        if way == "helper":
            home, name = self._home(module), self._new("make_config")
            home.define(
                f"def {name}():", *indented(self._build(home, "config")), "    return config"
            )
            return [], f"{self._reference(module, home, name)}()"
        if way == "global":
            home, name = self._home(module), self._new("CONFIG")
            home.define(*self._build(home, "config"), f"{name} = config")
            return [], self._reference(module, home, name)
        if way == "class":
            home, name = self._home(module), self._new("Settings")
            lines = indented(indented(self._build(home, "config")))
            home.define(
                f"class {name}:", "    def __init__(self):", *lines, "        self.config = config"
            )
            return [], f"{self._reference(module, home, name)}().config"
        name = self._new("config") if self._maybe(0.3) else "config"
        return self._build(module, name), name
