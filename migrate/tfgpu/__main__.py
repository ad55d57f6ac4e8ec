"""Lets `python -m tfgpu` run the command."""

from tfgpu.cli import main

# `libcst.tool list` imports every module of a package.
if __name__ == "__main__":
    main(prog_name="tfgpu")
