"""What `tfgpu doctor` looks at: the installation, and the memory of real GPUs."""
