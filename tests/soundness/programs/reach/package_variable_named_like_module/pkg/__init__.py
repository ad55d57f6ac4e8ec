from . import cards as gpus
