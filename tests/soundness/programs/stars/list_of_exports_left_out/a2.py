__all__ = []
GPU = "1"
