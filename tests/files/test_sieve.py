"""The sieve says what a search for each word says."""

from hypothesis import given
from hypothesis import strategies as st

from tfgpu.files.kinds import Kind
from tfgpu.files.sieve import FEW_BYTES, holds_any
from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.tokens import tokens

WORDS = st.lists(st.binary(max_size=8) | st.text("ab_", max_size=8).map(str.encode), max_size=12)


@given(WORDS, st.lists(st.text("ab_", max_size=8).map(str.encode)))
def test_it_says_what_a_search_for_each_word_says(words: list[bytes], parts: list[bytes]) -> None:
    holds_any(bytes(FEW_BYTES), tuple(words))
    for data in (b"".join(parts), b" ".join([*parts, *words[:1]])):
        assert holds_any(data, tuple(words)) == any(word in data for word in words)


def test_each_word_of_the_rules_is_found() -> None:
    words = tokens(Kind.PYTHON, load_rulebook())
    holds_any(bytes(FEW_BYTES), words)
    for word in words:
        assert holds_any(b"x = " + word + b"()", words)
        assert not holds_any(word[:3] + b" " + word[4:7], words)
