"""The loaded models, and the queues in front of them."""

from __future__ import annotations

import time
from typing import Dict, List, Optional, Union

import numpy as np

from .errors import ApiError
from .espeak import Espeak
from .kokoro import Kokoro
from .lane import Lane, Quiet, Stop
from .log import log
from .metrics import Metrics
from .models import Model, ModelError, choose, find, read_table
from .mouth import Mouth, primary
from .pico import Pico
from .piper import Piper
from .recognition import Whisper
from .settings import Settings
from .turn import SmartTurn

Engine = Union[Mouth, SmartTurn, Whisper]


class Engines:
    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self.models: List[Model] = choose(read_table(settings.models_file), settings.models)
        self._loaded: Dict[str, Engine] = {}
        quiet = Quiet()
        self.lanes = {
            "stt": Lane("recognition", settings.threads, settings.max_queue, quiet),
            "tts": Lane("speech", 1, settings.max_queue, quiet),
            "turn": Lane("turns", 1, settings.max_queue, quiet),
        }
        for kind, lane in self.lanes.items():
            metrics.queue.labels(lane=kind).set_function(lambda lane=lane: lane.length)

    @property
    def is_ready(self) -> bool:
        return len(self._loaded) == len(self.models)

    def is_loaded(self, model: Model) -> bool:
        return model.name in self._loaded

    def load(self) -> None:
        """Verifies and loads every model, and runs each once: the first run allocates."""
        for model in self.models:
            started = time.monotonic()
            self._loaded[model.name] = self._engine(model)
            self._metrics.loaded.labels(model=model.name).set(1)
            log("model loaded", model=model.name, sha256=model.sha256, ms=round((time.monotonic() - started) * 1000))

    def _engine(self, model: Model) -> Engine:
        if model.engine == "espeak":
            return Espeak(list(model.languages))
        if model.engine == "pico":
            pico = Pico()
            pico.speak("1.", pico.voice(None), 1.0)
            return pico
        folder = find(model, self._settings.folders)
        threads = self._settings.threads
        if model.engine == "whisper":
            return Whisper(folder, threads)
        if model.engine == "kokoro":
            kokoro = Kokoro(folder, threads)
            kokoro.speak("Ready.", kokoro.voice(None), 1.0)
            return kokoro
        if model.engine == "smart-turn":
            turn = SmartTurn(folder)
            turn.finished(np.zeros(0, np.float32), Stop())
            return turn
        if model.engine == "piper":
            piper = Piper(model.name, folder, threads)
            piper.speak("1.", model.name, 1.0)
            return piper
        raise ModelError(
            f"The model {model.name} has the engine {model.engine}: use whisper, kokoro, piper, pico, espeak or smart-turn."
        )

    def find(self, kind: str, name: Optional[str]) -> "tuple[Model, Engine]":
        """The model of this name or alias; without a name, the first one of the kind."""
        of_kind = [model for model in self.models if model.kind == kind]
        model = next((m for m in of_kind if not name or name == m.name or name in m.aliases), None)
        if model is None:
            known = ", ".join(m.name for m in of_kind) or "none"
            raise ApiError(404, f"There is no model {name} for this: use {known}.", param="model", code="model_not_found")
        engine = self._loaded.get(model.name)
        if engine is None:
            raise ApiError(
                503, "The models are still being loaded.", code="loading", headers={"Retry-After": "2"}
            )
        return model, engine

    def speaker(self, name: Optional[str], voice: Optional[str], language: Optional[str]) -> "tuple[Model, Mouth, str]":
        """
        The model and the voice that speak. A voice of another language than the text's would read it by the wrong rules, so one that
        speaks it takes its place: of the same model, or of another one.
        """
        model, engine = self.find("tts", name)
        assert isinstance(engine, Mouth)
        if voice and voice not in engine.voices:
            # An alias may mean several models.
            named = (pair for pair in self._mouths() if voice in pair[1].voices and name in (None, *pair[0].aliases))
            model, engine = next(named, (model, engine))
        chosen = engine.voice(voice)
        if not language or primary(engine.language(chosen)) == primary(language):
            return model, engine, chosen
        candidates = sorted(self._mouths(), key=lambda pair: (pair[1].sounds_like_a_machine, pair[0] is not model))
        for other, mouth in candidates:
            found = mouth.voice_of(language)
            if found is not None:
                return other, mouth, found
        raise ApiError(
            400,
            f"No installed voice speaks {language}: run `npm run voice:setup -- --languages {primary(language)}`, "
            "or choose a model that speaks it.",
            param="language",
            code="language_not_supported",
        )

    def _mouths(self) -> "List[tuple[Model, Mouth]]":
        return [(m, e) for m in self.models if isinstance(e := self._loaded.get(m.name), Mouth)]

    def close(self) -> None:
        for lane in self.lanes.values():
            lane.close()
