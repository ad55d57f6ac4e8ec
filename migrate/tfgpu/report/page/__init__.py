"""The parts of the page that shows a verdict: pure functions from what was seen to HTML."""
