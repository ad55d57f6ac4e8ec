from .trainer import fit
