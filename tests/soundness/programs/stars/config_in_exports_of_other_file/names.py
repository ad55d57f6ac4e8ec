__all__ = ['sess', 'config']
