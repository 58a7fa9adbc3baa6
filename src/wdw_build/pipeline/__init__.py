"""Which stages there are, with their settings and backends, which of them must run, and the loop that runs them."""
