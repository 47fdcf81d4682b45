"""What the tests of the kit share."""

pytest_plugins = ["pytester"]
