"""The console's gunicorn settings, for the sites that are measured next to it."""

import gc
import runpy
from typing import Any

settings = runpy.run_path("gunicorn.conf.py")
settings.pop("post_worker_init")
globals().update({name: value for name, value in settings.items() if not name.startswith("_")})


def when_ready(_server: Any) -> None:
    """Spare the garbage collector what was preloaded, as the console does."""
    gc.collect()
    gc.freeze()
