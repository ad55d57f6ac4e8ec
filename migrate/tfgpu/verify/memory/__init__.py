"""How much memory TensorFlow takes of a card: rules, what real cards logged, predictions."""
