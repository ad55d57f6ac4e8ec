"""Spaces that are a part of a name or of a value, or that end one."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, G, rules, said, values


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.bat", f"set {G}=true & python x.py\n", [(1, "value-not-understood")]),
        ("a.bat", f"set {G}=true& python x.py\n", [(1, "force-gpu-allow-growth")]),
        ("a.bat", f"set {G}=true\r\npython x.py\r\n", [(1, "force-gpu-allow-growth")]),
        ("a.bat", f"set {D}=1 & python x.py\n", [(1, "cuda-visible-devices")]),
        ("a.bat", f"set {D} = 1\n", [(1, "blanks-around-equals")]),
        ("a.bat", f'set "{D.lower()} =1"\n', [(1, "blanks-around-equals")]),
        ("a.bat", "set OTHER = 1\n", []),
        ("a.bat", f"setx {D} 1\n", [(1, "cuda-visible-devices")]),
        ("a.sh", f"export {D}=0, 1\npython x.py\n", [(1, "value-with-spaces")]),
        ("a.sh", f"export {D}=0 1\npython x.py\n", [(1, "value-with-spaces")]),
        ("a.sh", f"{D}=0, 1 python x.py\n", [(1, "value-with-spaces")]),
        ("a.sh", f"export {D}=0, A=1\npython x.py\n", [(1, "cuda-visible-devices")]),
        ("a.sh", f"export {D}='0, 1'\npython x.py\n", [(1, "cuda-visible-devices")]),
        ("Dockerfile", f"FROM x\nENV {D}=0 1\n", [(2, "value-with-spaces")]),
        ("Dockerfile", f"FROM x\nENV A=1 {D}=0, 1 \\\n  B=2\n", [(2, "value-with-spaces")]),
        ("Dockerfile", f"FROM x\nENV {D}=0 \\\n  B=2\n", [(2, "cuda-visible-devices")]),
        ("Dockerfile", f"FROM x\nENV {D}=0 {{{{ more }}}}\n", [(2, "cuda-visible-devices")]),
        ("Dockerfile", f"FROM x\nENV {D} 0, 1\n", [(2, "cuda-visible-devices")]),
        ("a.yml", f"env:\n  '{D} ': 0\n", [(2, "misspelt-variable")]),
    ],
)
def test_what_a_space_does(name: str, text: str, found: list[tuple[int, str]]) -> None:
    assert rules(name, text) == found


def test_a_space_at_an_end_is_shown_in_quotes() -> None:
    assert values("a.bat", f"set {D}=0 & x\n") == ["0 "]
    ((*_, message),) = said("a.bat", f"set {G}=true & x\n")
    assert message.startswith(f'{G}="true " does not')
    ((*_, message),) = said("a.py", f"import os\nos.environ['{D} '] = '0'\n")
    assert message == f'nothing reads "{D} "; the variable is {D}'
