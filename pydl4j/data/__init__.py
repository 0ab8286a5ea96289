"""Tensors and datasets: numpy in and out, normalizers, real datasets."""
