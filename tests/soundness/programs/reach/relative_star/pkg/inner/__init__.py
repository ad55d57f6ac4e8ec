from .evaluate import main
from .train import cpu

__all__ = ["cpu", "main"]
