"""Models are fetched from their homes once, and a file with another digest is not kept."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from parlance_speech.fetch import fetch
from parlance_speech.models import ModelError

CONTENT = b"weights"


def table(folder: Path, digest: str) -> Path:
    home = folder / "home.bin"
    home.write_bytes(CONTENT)
    file = {"path": "model.bin", "bytes": len(CONTENT), "sha256": digest, "url": home.as_uri()}
    row = {"name": "small", "kind": "stt", "engine": "whisper", "license": "MIT", "languages": ["en"], "files": [file]}
    path = folder / "models.json"
    path.write_text(json.dumps({"models": [row]}), encoding="utf-8")
    return path


def env(folder: Path, digest: str) -> dict:
    return {
        "SPEECH_MODELS_DIR": str(folder / "models"),
        "VOICE_MODELS_FILE": str(table(folder, digest)),
        "SPEECH_MODELS": "small",
    }


def test_fetches_what_is_missing_and_nothing_twice(tmp_path: Path) -> None:
    settings = env(tmp_path, hashlib.sha256(CONTENT).hexdigest())
    fetch(settings)
    assert (tmp_path / "models/small/model.bin").read_bytes() == CONTENT
    (tmp_path / "home.bin").unlink()
    fetch(settings)


def test_fetches_a_file_with_a_flipped_byte_again(tmp_path: Path) -> None:
    settings = env(tmp_path, hashlib.sha256(CONTENT).hexdigest())
    path = tmp_path / "models/small/model.bin"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"weightS")
    fetch(settings)
    assert path.read_bytes() == CONTENT


def test_keeps_nothing_that_has_another_digest(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="SHA-256 differs"):
        fetch(env(tmp_path, "0" * 64))
    assert list((tmp_path / "models/small").iterdir()) == []


def test_says_what_to_do_without_a_network(tmp_path: Path) -> None:
    settings = env(tmp_path, hashlib.sha256(CONTENT).hexdigest())
    (tmp_path / "home.bin").unlink()
    with pytest.raises(ModelError, match="put the file into"):
        fetch(settings)
