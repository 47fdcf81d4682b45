"""A small partner's application: it opens accounts, takes deposits, orders funds, and keeps books of its own."""
