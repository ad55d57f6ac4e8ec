"""The process that runs legs, and the programs, which are no tests themselves."""

from tests.differential.conftest import runner

__all__ = ["runner"]
collect_ignore = ["programs"]
