__all__ = ["probe"]
