"""The checks of ``verify``: one module for each group of promises."""
