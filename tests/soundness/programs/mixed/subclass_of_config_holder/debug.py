from settings import Settings


class DebugSettings(Settings):
    gpus = 0
