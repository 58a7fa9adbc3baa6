"""The recipe of the shipped models, one module per part; ``train_models.py`` is the command line."""
