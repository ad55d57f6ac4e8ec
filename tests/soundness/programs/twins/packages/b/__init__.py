from .gpu import settings
