import commands

commands.COMMANDS.run_all()
