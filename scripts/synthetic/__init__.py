"""An invented wire of any size, for measuring: its words, its events, and a stand-in for the models that knows its names."""
