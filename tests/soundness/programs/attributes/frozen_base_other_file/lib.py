import dataclasses
@dataclasses.dataclass(frozen=True)
class B:
    lr: int = 1
    config: object = None
