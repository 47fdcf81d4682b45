"""`python -m portfolio`: the application on port 9000, or on `PORT`."""

from __future__ import annotations

import os

import uvicorn

from portfolio.app import make_app
from portfolio.settings import Settings

if __name__ == "__main__":
    uvicorn.run(make_app(Settings.from_environment()), host="127.0.0.1", port=int(os.environ.get("PORT", "9000")))
