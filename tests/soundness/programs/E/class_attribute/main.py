from agent import Agent
from critic import Critic

Critic().run()
Agent().run()
