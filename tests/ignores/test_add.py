"""Comments that are written: they silence what they are for, and change no code."""

from __future__ import annotations

import ast

from hypothesis import HealthCheck, given, settings

from tests.rewrite.test_properties import Program, programs
from tests.tools import book, comments, source
from tfgpu.code.parse import parse
from tfgpu.engine import analyse
from tfgpu.ignores.files import with_ignores
from tfgpu.options import Options

RAW = "import tensorflow as tf\n"


def added(text: str, reason: str = "why") -> str:
    found = analyse(text, book(), Options()).findings
    wanted = [(item.line, item.name) for item in found if not item.code.startswith("TFX")]
    return with_ignores(text, wanted, reason)


def test_behind_the_last_line_of_the_statement() -> None:
    before = source("""
        import tensorflow as tf
        a = tf.test.is_gpu_available(
            cuda_only=True
        )
        '#'; tf.test.is_gpu_available(); tf.test.gpu_device_name() # b
        if tf.test.is_gpu_available():
            pass
        d = '''
        ''', tf.test.is_gpu_available()
        e = \\
            tf.test.is_gpu_available()
    """)
    both = "# tfgpu: ignore[gpu-device-name, is-gpu-available] why"
    after = source("""
        import tensorflow as tf
        a = tf.test.is_gpu_available(
            cuda_only=True
        )  # tfgpu: ignore[is-gpu-available] why
        '#'; tf.test.is_gpu_available(); tf.test.gpu_device_name() # b  {both}
        if tf.test.is_gpu_available():  # tfgpu: ignore[is-gpu-available] why
            pass
        d = '''
        ''', tf.test.is_gpu_available()  # tfgpu: ignore[is-gpu-available] why
        e = \\
            tf.test.is_gpu_available()  # tfgpu: ignore[is-gpu-available] why
    """).replace("{both}", both)
    assert added(before) == after
    assert added(after) == after


def test_line_endings_and_the_end_of_the_file_stay() -> None:
    for end in ("\n", "\r\n", "\r"):
        before = f"{RAW}a = tf.test.is_gpu_available()\nb = tf.test.is_gpu_available()".replace(
            "\n", end
        )
        comment = "  # tfgpu: ignore[is-gpu-available] why"
        assert added(before) == f"{before.replace(f'(){end}', f'(){comment}{end}')}{comment}"


def test_a_comment_that_is_there_gets_the_rules_that_it_lacks() -> None:
    before = (
        f"{RAW}a = tf.test.is_gpu_available() or tf.test.gpu_device_name()"
        "  # noqa  # tfgpu: ignore[gpu-device-name] old reason\n"
        "# tfgpu: ignore[TFG9] another\nb = tf.test.is_gpu_available()\n"
    )
    assert added(before) == before.replace(
        "[gpu-device-name]", "[gpu-device-name, is-gpu-available]"
    ).replace("[TFG9]", "[TFG9, is-gpu-available]")


def test_a_comment_on_the_file_or_that_is_not_understood_is_left_alone() -> None:
    before = f"# tfgpu: ignore-file[TFG1] x\n{RAW}a = tf.test.is_gpu_available()  # tfgpu: ignore\n"
    assert added(before) == before.replace(
        "ignore\n", "ignore  # tfgpu: ignore[is-gpu-available] why\n"
    )


def test_without_a_reason_there_is_no_space_at_the_end() -> None:
    assert added(f"{RAW}a = tf.test.is_gpu_available()\n", "").endswith("available]\n")


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs())
def test_comments_change_no_code_and_silence_everything(program: Program) -> None:
    text = program.text
    for _ in range(5):
        new = added(text)
        if new == text:
            break
        text = new
    assert ast.dump(parse(text)) == ast.dump(parse(program.text))
    assert set(comments(program.text)) <= {
        comment.partition("  # tfgpu: ignore")[0] for comment in comments(text)
    }
    result = analyse(text, book(), Options())
    assert [finding.code for finding in result.findings] == []
    if text != program.text and result.configs:
        # What is ignored stays, and with it all configs.
        assert result.new_text() is None
        assert None not in {config.kept_by for config in result.configs}
