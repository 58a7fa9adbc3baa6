"""The training recipe of the shipped models, one module for each part; ``train_models.py`` is the command line."""
