"""Networks: fit, output, predict, evaluate, score, save, load."""
