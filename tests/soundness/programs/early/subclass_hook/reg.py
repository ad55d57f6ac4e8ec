from base import Base
class M(Base):
    pass
