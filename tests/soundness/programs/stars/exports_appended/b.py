__all__ = []
G = '1'
__all__.append('G')
