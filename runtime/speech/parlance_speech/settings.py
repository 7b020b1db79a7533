"""Settings from the environment. Every value is checked once, at the start."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Tuple


class SettingsError(Exception):
    """A sentence for the person who starts the service."""


@dataclass(frozen=True)
class Settings:
    host: str
    port: int
    key: str
    #: Folders with models, in order of precedence.
    folders: Tuple[Path, ...]
    #: Table of models that an operator adds.
    models_file: Optional[Path]
    models: Tuple[str, ...]
    #: Transcripts at once, and threads that speak one clause.
    threads: int
    max_body_bytes: int
    max_audio_seconds: int
    max_characters: int
    max_queue: int
    exit_with_parent: bool


def _whole(env: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = env.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise SettingsError(f'{name} takes a whole number from {low} to {high}, not "{text}".')
    return int(text)


def settings_from(env: Mapping[str, str]) -> Settings:
    key = env.get("SPEECH_KEY", "")
    if len(key) < 16:
        raise SettingsError(
            "SPEECH_KEY is missing or shorter than 16 characters: set it to the key that clients send, "
            "for example the output of `openssl rand -hex 24`."
        )
    folders = tuple(
        Path(env[name]) for name in ("VOICE_MODELS_DIR", "SPEECH_MODELS_DIR") if env.get(name)
    )
    if not folders:
        raise SettingsError("SPEECH_MODELS_DIR is missing: set it to the folder that `npm run voice:setup` filled.")
    models_file = env.get("VOICE_MODELS_FILE")
    return Settings(
        host=env.get("SPEECH_HOST") or "127.0.0.1",
        port=_whole(env, "SPEECH_PORT", 4760, 1, 65535),
        key=key,
        folders=folders,
        models_file=Path(models_file) if models_file else None,
        models=tuple(name.strip() for name in env.get("SPEECH_MODELS", "").split(",") if name.strip()),
        threads=_whole(env, "SPEECH_THREADS", min(os.cpu_count() or 1, 4), 1, 64),
        max_body_bytes=_whole(env, "SPEECH_MAX_BODY_MB", 25, 1, 200) * 1024 * 1024,
        max_audio_seconds=_whole(env, "SPEECH_MAX_AUDIO_SECONDS", 300, 1, 3600),
        max_characters=_whole(env, "SPEECH_MAX_CHARACTERS", 4096, 1, 100000),
        max_queue=_whole(env, "SPEECH_MAX_QUEUE", 16, 1, 1000),
        exit_with_parent=env.get("SPEECH_EXIT_WITH_PARENT") == "1",
    )
