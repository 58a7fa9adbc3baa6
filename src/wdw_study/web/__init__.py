"""The pages that people open in a browser, and the server of them."""
