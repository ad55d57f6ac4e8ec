import functools

import detectors


@functools.lru_cache(maxsize=None)
def get(name):
    return getattr(detectors, name.title())()
