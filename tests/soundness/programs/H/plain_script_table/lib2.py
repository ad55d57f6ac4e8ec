import lib

TOOLS = {"ask": lib.ask}
