"""Comments such as `# tfgpu: ignore[allow-growth]`: read, obeyed, checked and written."""
