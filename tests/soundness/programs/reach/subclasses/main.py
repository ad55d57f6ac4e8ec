import tasks
from base import Task

for task in Task.__subclasses__():
    task().run()
print(len(tasks.__name__))
