"""What tfgpu is measured with, as ratios against named peers."""
