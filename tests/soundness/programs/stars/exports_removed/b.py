__all__ = ['G', 'x']
x = 1
G = '1'
__all__.remove('G')
