"""Paths from the root of a repository, and links to the documentation."""

from __future__ import annotations

from email.message import Message
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tests.tools import book
from tfgpu.report import repository as links
from tfgpu.report.repository import Repository


class TestRepository:
    def test_without_one_the_folder_is_the_root(self, tmp_path: Path) -> None:
        # No folder above belongs to a repository, or there would be no saying what is the root.
        assert not any((folder / ".git").exists() for folder in tmp_path.parents)
        assert Repository(tmp_path).relative("a/../b.py") == "b.py"
        assert Repository(tmp_path).relative("../b.py") is None

    @pytest.mark.parametrize("kind", ["folder", "file"])
    def test_a_worktree_has_a_file_in_the_place_of_the_folder(
        self, tmp_path: Path, kind: str
    ) -> None:
        mark = tmp_path / ".git"
        if kind == "folder":
            mark.mkdir()
        else:
            mark.write_text("gitdir: elsewhere\n")
        below = tmp_path / "a" / "b"
        below.mkdir(parents=True)
        assert Repository(below).relative("c.py") == "a/b/c.py"
        assert Repository(below).relative(str(tmp_path / "c.py")) == "c.py"

    def test_a_link_keeps_its_name(self, tmp_path: Path) -> None:
        (tmp_path / "link.py").symlink_to("/elsewhere.py")
        assert Repository(tmp_path).relative("link.py") == "link.py"

    def test_uris_are_percent_encoded(self, tmp_path: Path) -> None:
        uri, relative = Repository(tmp_path).uri("a b/é%\udcff.py")
        assert (uri, relative) == ("a%20b/%C3%A9%25%FF.py", True)
        uri, relative = Repository(tmp_path).uri("/x y.py")
        assert (uri, relative) == ("file:///x%20y.py", False)


class TestLinks:
    @pytest.fixture(autouse=True)
    def _fresh(self) -> None:
        links._documentation.cache_clear()

    def link(self, monkeypatch: pytest.MonkeyPatch, *urls: str) -> str | None:
        message = Message()
        for url in urls:
            message["Project-URL"] = url
        monkeypatch.setattr(links, "metadata", lambda name: message)
        return links.rule_link(book().rules[0])

    def test_the_address_is_that_of_the_release(self, monkeypatch: pytest.MonkeyPatch) -> None:
        urls = ("Homepage, https://example.org", "Documentation, https://example.org/docs/")
        found = self.link(monkeypatch, *urls)
        assert found == f"https://example.org/docs/rules/{book().rules[0].code}.md"

    def test_a_release_without_has_no_links(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.link(monkeypatch, "Homepage, https://example.org") is None

    def test_a_checkout_that_is_not_installed_has_none(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(name: str) -> Message:
            raise PackageNotFoundError(name)

        monkeypatch.setattr(links, "metadata", missing)
        assert links.rule_link(book().rules[0]) is None
