import dataclasses
@dataclasses.dataclass
class B:
    lr: int = 1
    config: object = None
