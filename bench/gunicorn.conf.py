"""The console's gunicorn settings, without its warm-up, for the sites beside it."""

import os
import runpy

settings = runpy.run_path("gunicorn.conf.py")
settings.pop("post_worker_init")
globals().update({name: value for name, value in settings.items() if not name.startswith("_")})
bind = os.environ["BIND"]
