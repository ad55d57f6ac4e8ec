"""Tests of migrate/tfgpu/code."""
