"""The stages, one module and one ``STAGE`` each. They import neither each other nor the adapters."""
