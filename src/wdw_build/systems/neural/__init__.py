"""The neural readers of the paper's Table 4, in PyTorch."""
