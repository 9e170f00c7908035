"""Trees from other sources: one file a source, all written with the builder of ``postorder``."""
