from base import Trainer


class SmallTrainer(Trainer):
    def config(self):
        config = super().config()
        config.device_count["GPU"] = 1
        return config
