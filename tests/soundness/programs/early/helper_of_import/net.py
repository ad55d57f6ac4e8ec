from ops import build
out = build(3)
