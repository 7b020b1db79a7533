"""python -m parlance_speech: serves the local models. With --try, speaks a sentence and listens to it instead; with
--fetch, fetches the models that its folder lacks."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from typing import NoReturn

import uvicorn

from .app import Api
from .engines import Engines
from .fetch import fetch
from .log import log, logger, set_up_logging
from .metrics import Metrics
from .models import ModelError
from .settings import Settings, SettingsError, settings_from
from .trial import try_out

#: A supervisor does not restart a process that ends with this status: it would end in the same way.
_CONFIGURATION = 78
#: In malloc.h of glibc.
_M_ARENA_MAX = -8
_PARENT_POLL_SECONDS = 1
_DRAIN_SECONDS = 10


def _fail(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    # Also from another thread than the main one.
    os._exit(_CONFIGURATION)


def _load(engines: Engines) -> None:
    try:
        engines.load()
        log("ready")
    except ModelError as error:
        _fail(str(error))
    except Exception as error:  # noqa: BLE001
        logger.exception("model failed to load")
        _fail(f"A model cannot be loaded ({type(error).__name__}: {error}): run `npm run voice:setup`.")


def _end_with_parent() -> None:
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _bound_arenas() -> None:
    """glibc gives each thread a heap of its own, and a heap keeps the memory of the longest recording that it has seen."""
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)
    except (AttributeError, OSError, TypeError):
        # Another C library.
        pass


def _serve(settings: Settings) -> None:
    metrics = Metrics()
    engines = Engines(settings, metrics)
    if settings.exit_with_parent:
        _end_with_parent()
    threading.Thread(target=_load, args=(engines,), daemon=True).start()
    log("listening", host=settings.host, port=settings.port)
    config = uvicorn.Config(
        Api(settings, engines, metrics).app(),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=256,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )
    uvicorn.Server(config).run()
    engines.close()


def main() -> None:
    set_up_logging()
    _bound_arenas()
    try:
        if "--fetch" in sys.argv[1:]:
            return fetch(os.environ)
        settings = settings_from(os.environ)
        if "--try" in sys.argv[1:]:
            try_out(settings)
        else:
            _serve(settings)
    except (SettingsError, ModelError) as error:
        _fail(str(error))


main()
