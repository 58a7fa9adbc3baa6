"""Probes: systems that rank the choices by a log-linear model, on features of a part of the problem or of all parts."""
