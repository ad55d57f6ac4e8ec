"""From paths to text and back."""
