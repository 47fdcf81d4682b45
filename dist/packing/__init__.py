"""What `dist/build` and `dist/check` are made of."""
