"""Proof by running: two programs, the same GPUs, and what each made of them."""
