"""Variables that code of other languages sets."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, rules, said, values
from tests.texts.test_languages import JAVA, audited
from tfgpu.texts import builders


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("a.R", f"Sys.setenv({D} = 0, B = 1)", ["0"]),
        ("a.R", f'Sys.setenv("{D}" = paste0(gpu))', [None]),
        ("a.R", f"# Sys.setenv({D} = 0)\nSys.getenv('{D}')", []),
        ("a.R", f'withr::local_envvar(c({D} = "0"))', ["0"]),
        (".Renviron", f"{D}=0", ["0"]),
        ("Makefile.win", f"x:\n\tenv {D}=0 python x.py", ["0"]),
        ("a.go", f'os.Setenv("{D}", "0")', ["0"]),
        ("a.go", f'cmd.Env = append(os.Environ(), "{D}=1")', ["1"]),
        ("a.go", f'// os.Setenv("{D}", "9")\nfmt.Println("{D}=1", os.Getenv("{D}"))', []),
        ("a.c", f'setenv("{D}", "0", 1);', ["0"]),
        ("a.cc", f'putenv("{D}=2");', ["2"]),
        ("a.cpp", f'_putenv_s("{D}", gpu);', [None]),
        ("a.cc", f'/* setenv("{D}", "0", 1); */ LOG(INFO) << "{D}=1";', []),
        ("a.cs", f'Environment.SetEnvironmentVariable("{D}", "0");', ["0"]),
        ("a.cs", f'info.EnvironmentVariables["{D}"] = "1";', ["1"]),
        ("a.java", f'builder.environment().put("{D}", "" + gpu);', [None]),
        ("a.kt", f'env["{D}"] = "1"', ["1"]),
        ("a.scala", f'Process("python x.py", None, "{D}" -> "0").!', ["0"]),
    ],
)
def test_variables_of_languages(name: str, line: str, found: list[str | None]) -> None:
    assert values(name, f"{line}\n") == found


def test_values_have_their_rules() -> None:
    assert rules("a.go", f'os.Setenv("{D}", "0,0")\n') == [(1, "device-twice")]
    assert said("a.cs", f'Environment.SetEnvironmentVariable("{D}", "0");\n')[0][:2] == (1, 13)


def test_variables_need_no_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_grammar(language: str) -> None:
        raise builders.NoGrammarError(language)

    monkeypatch.setattr(builders, "_parser", no_grammar)
    code = f'class A {{ void f() {{ env.put("{D}", "0"); {JAVA[0]} }} }}'
    found = audited("A.java", code)
    assert (found.unread, [item.code for item in found.findings]) == ("Java", ["TFE001"])
