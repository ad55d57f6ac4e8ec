import tensorflow as tf

from trainer import Trainer


def main():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    trainer = Trainer(0.1, config=config)
    trainer.train()


if __name__ == "__main__":
    main()
