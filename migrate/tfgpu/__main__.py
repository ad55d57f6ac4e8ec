"""Lets `python -m tfgpu` run the command."""

from tfgpu.cli import main

main(prog_name="tfgpu")
