import lib2

for tool in lib2.TOOLS.values():
    tool()
