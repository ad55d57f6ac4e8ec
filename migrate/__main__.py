"""Lets `python -m migrate` run the command."""

from migrate.cli import main

main(prog_name="tfgpu")
