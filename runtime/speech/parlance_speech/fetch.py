"""Fetches the models that a folder lacks from their public homes. Where npm is at hand, `npm run voice:setup` does more."""

from __future__ import annotations

import shutil
import sys
import urllib.request
from pathlib import Path
from typing import Mapping, Optional

from .models import ModelError, ModelFile, choose, digest_of, read_table

_TIMEOUT_SECONDS = 60


def _is_there(path: Path, file: ModelFile) -> bool:
    return path.is_file() and path.stat().st_size == file.bytes and digest_of(path) == file.sha256


def _fetch(path: Path, file: ModelFile) -> None:
    if file.url is None:
        raise ModelError(f"{path} is missing, and its table names no address: put the file there.")
    partial = path.with_name(f"{path.name}.partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(file.url, timeout=_TIMEOUT_SECONDS) as source, partial.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    except OSError as error:
        raise ModelError(
            f"{file.url} cannot be fetched ({error}): let this process reach it, or put the file into {path.parent}."
        ) from error
    if not _is_there(partial, file):
        partial.unlink()
        raise ModelError(f"{file.url} is not the file that the table of models describes (its SHA-256 differs).")
    partial.rename(path)


def fetch(env: Mapping[str, str]) -> None:
    folder: Optional[str] = env.get("SPEECH_MODELS_DIR")
    if not folder:
        raise ModelError("SPEECH_MODELS_DIR is missing: set it to the folder for the models.")
    further = env.get("VOICE_MODELS_FILE")
    names = [name.strip() for name in env.get("SPEECH_MODELS", "").split(",") if name.strip()]
    for model in choose(read_table(Path(further) if further else None), names):
        for file in model.files:
            path = Path(folder) / model.name / file.path
            if not _is_there(path, file):
                print(f"fetching {model.name}/{file.path}", file=sys.stderr, flush=True)
                _fetch(path, file)
