# The tools.
VERSION = 1
