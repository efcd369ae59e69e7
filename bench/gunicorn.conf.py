"""The console's gunicorn settings, which load no console, for the sites beside it."""

import gc
import os
import runpy
from typing import Any

settings = runpy.run_path("gunicorn.conf.py")
for name in ("when_ready", "post_worker_init"):
    settings.pop(name)
globals().update({name: value for name, value in settings.items() if not name.startswith("_")})
bind = os.environ["BIND"]


def when_ready(server: Any) -> None:
    """Spare the collector of garbage what is there already, as the console does."""
    gc.collect()
    gc.freeze()
