__all__ = ["tf"]
