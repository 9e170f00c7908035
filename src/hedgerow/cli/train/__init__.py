"""``hedgerow train``: options made from what is chosen, and the training."""
