# The tools.
