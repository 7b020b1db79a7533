from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from parlance_speech.engines import Engines  # noqa: E402
from parlance_speech.metrics import Metrics  # noqa: E402
from parlance_speech.settings import Settings, settings_from  # noqa: E402

KEY = "a-key-that-only-tests-use"


@pytest.fixture()
def settings(tmp_path: Path) -> Settings:
    return settings_from({"SPEECH_KEY": KEY, "SPEECH_MODELS_DIR": str(tmp_path), "SPEECH_THREADS": "1"})


@pytest.fixture(scope="session")
def engines() -> Engines:
    folder = os.environ.get("SPEECH_MODELS_DIR", "")
    if not folder:
        pytest.skip("SPEECH_MODELS_DIR names no models: run `npm run voice:setup`.")
    settings = settings_from({**os.environ, "SPEECH_KEY": KEY})
    loaded = Engines(replace(settings, threads=2), Metrics())
    loaded.load()
    return loaded


@pytest.fixture(scope="session")
def spoken(engines: Engines) -> np.ndarray:
    """A sentence by the local voice, at 24 kHz."""
    _, mouth = engines.find("tts", None)
    return mouth.speak("Please call the dentist on Monday morning.", mouth.voice(None), 1.0)
