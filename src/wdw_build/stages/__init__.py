"""The stages. Each module declares one ``STAGE``. Stages import neither other stages nor adapters."""
