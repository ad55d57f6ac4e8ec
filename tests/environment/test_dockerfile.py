"""Dockerfiles: ENV in both forms, ARG, and commands with continuations, comments and heredocs."""

from __future__ import annotations

import pytest

from tests.environment.reading import D, rules, said, settings, values


@pytest.mark.parametrize(
    ("instruction", "value"),
    [
        (f"ENV {D}=0", "0"),
        (f"ENV {D} 0,1", "0,1"),
        (f'ENV A=1 {D}="0,1" B=2', "0,1"),
        (f"ENV {D}='0'", "0"),
        (f"ENV {D}=", ""),
        (f"ENV {D}=$GPU", None),
        (f"ENV {D} $GPU", None),
        (f"ENV {D}=\\$x", "$x"),
        (f"ENV {D}='0", None),
        (f"ENV {D}=0\\\\'", None),
        (f"ENV A=1 \\\n    {D}=0", "0"),
        (f"ENV A=1 \\\n# comment\n\n    {D}=0", "0"),
        (f"env {D}=0", "0"),
        (f"RUN {D}=0 python x.py", "0"),
        (f"RUN a && \\\n  # comment\n  {D}=0 python x.py", "0"),
        (f"RUN --mount=type=cache,target=/x {D}=0 python x.py", "0"),
        (f"RUN <<EOF\nexport {D}=0\npython x.py\nEOF", "0"),
        (f"RUN <<-'EOF' bash\n\texport {D}=0\n\tpython x.py\n\tEOF", "0"),
        (f"RUN bash <<EOF\nexport {D}=0\npython x.py\nEOF", "0"),
        (f'CMD ["env", "{D}=0", "python", "x.py"]', "0"),
        (f'ENTRYPOINT ["bash", "-c", "{D}=0 python x.py"]', "0"),
        (f"CMD {D}=0 python x.py", "0"),
        (f"HEALTHCHECK CMD {D}=0 python x.py", "0"),
        (f"HEALTHCHECK --interval=5m --retries=3 CMD {D}=0 python x.py", "0"),
        (f"HEALTHCHECK --interval=5m \\\n    CMD {D}=0 python x.py", "0"),
        (f"HEALTHCHECK --interval=5m \\\n  --retries=3 \\\n  CMD a; {D}=0 python x.py", "0"),
        (f'HEALTHCHECK CMD ["env", "{D}=0", "python", "x.py"]', "0"),
        (f"ONBUILD ENV {D}=0", "0"),
        (f"ONBUILD ENV {D} 0", "0"),
        (f"ONBUILD RUN --mount=type=cache,target=/x {D}=0 python x.py", "0"),
        (f"onbuild run <<EOF\n{D}=0 python x.py\nEOF", "0"),
        (f"ONBUILD HEALTHCHECK CMD {D}=0 python x.py", "0"),
        (f"CMD [ -f x ] && {D}=0 python x.py", "0"),
    ],
)
def test_what_is_set(instruction: str, value: str | None) -> None:
    assert values("Dockerfile", f"FROM a\n{instruction}\nRUN b\n") == [value]


@pytest.mark.parametrize(
    "instruction",
    [
        f"# ENV {D}=0",
        f'LABEL run="{D}=0 python x.py"',
        f"COPY <<EOF /run.txt\nENV {D}=0\nRUN {D}=0 a\nEOF",
        f"RUN echo {D}=0",
        f"HEALTHCHECK NONE {D}=0",
        f"HEALTHCHECK --interval={D}=0",
        "HEALTHCHECK",
        "ONBUILD",
        "ENV",
        "ENV A",
        "CMD [1, 2]",
    ],
)
def test_what_is_no_setting(instruction: str) -> None:
    assert values("Dockerfile", f"FROM a\n{instruction}\nRUN b\n") == []


def test_an_argument_has_a_default_only() -> None:
    text = f"FROM a\nARG {D}=0\nARG {D}\nARG {D}=$X\n"
    assert [item[3] for item in settings("Dockerfile", text)] == ["build", "build"]
    assert said("Dockerfile", text)[0][3] == (
        f"{D}=0 (while the image is built): 0 unless something else is given"
    )


def test_places_are_those_of_the_file() -> None:
    text = f"""
        FROM a
        ENV A=1 \\
            # why
            {D}=0
        RUN a && \\
            {D}=1 python x.py
        RUN <<EOF
        {D}=2 python x.py
        EOF
    """
    assert [(line, column) for line, column, *_ in said("Dockerfile", text)] == [
        (4, 5),
        (6, 5),
        (8, 1),
    ]


def test_a_heredoc_that_never_ends() -> None:
    assert values("Dockerfile", f"FROM a\nRUN <<EOF\n{D}=0 python x.py") == ["0"]


def test_a_line_that_goes_on_behind_the_end() -> None:
    assert values("Dockerfile", f"FROM a\nENV {D}=0 \\") == ["0"]


def test_another_escape() -> None:
    text = f"# escape=`\nFROM a\nENV A=1 `\n    {D}=0\n"
    assert values("Dockerfile", text) == ["0"]


def test_an_image_made_of_this_one_overwrites_nothing_here() -> None:
    text = f"FROM a\nENV {D}=0\nONBUILD ENV {D}=1\n"
    assert [item[:1] + item[2:] for item in settings("Dockerfile", text)] == [
        (2, "0", "image"),
        (3, "1", "image"),
    ]
    assert "overwritten-variable" not in [rule for _, rule in rules("Dockerfile", text)]


def test_a_value_is_overwritten_within_a_stage_only() -> None:
    text = f"""
        FROM a
        ENV {D}=0
        ENV {D}=1
        RUN test
        ENV {D}=2
        FROM b
        ENV {D}=3
    """
    assert [item for item in rules("Dockerfile", text) if item[1] == "overwritten-variable"] == [
        (3, "overwritten-variable")
    ]
