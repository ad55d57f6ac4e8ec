"""The configuration of a project: `[tool.tfgpu]` in pyproject.toml, or tfgpu.toml."""
