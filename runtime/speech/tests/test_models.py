from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Dict

import pytest

from parlance_speech.models import ModelError, choose, find, read_table
from parlance_speech.settings import SettingsError, settings_from

WEIGHTS = b"weights" * 1000


def _table(folder: Path, content: bytes = WEIGHTS, path: str = "model.bin") -> Path:
    file = {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    row = {"name": "tiny", "kind": "stt", "engine": "whisper", "license": "MIT", "languages": ["en"], "files": [file]}
    table = folder / "table.json"
    table.write_text(json.dumps({"models": [row]}), encoding="utf-8")
    return table


def _place(folder: Path, content: bytes) -> Path:
    (folder / "tiny").mkdir(parents=True)
    file = folder / "tiny" / "model.bin"
    file.write_bytes(content)
    return file


def test_the_table_of_the_release_names_licence_digest_and_source_of_every_file() -> None:
    table = read_table()
    assert {model.kind for model in choose(table, [])} == {"stt", "tts", "turn"}
    for model in table.values():
        assert model.license in ("MIT", "Apache-2.0", "BSD-2-Clause", "GPL-3.0-or-later")
        assert model.files or model.engine in ("espeak", "pico")
        assert all(len(file.sha256) == 64 and file.bytes > 0 for file in model.files)


def test_uses_the_operators_folder_before_the_data_folder(tmp_path: Path) -> None:
    model = read_table(_table(tmp_path))["tiny"]
    _place(tmp_path / "operator", WEIGHTS)
    _place(tmp_path / "data", WEIGHTS)
    assert find(model, [tmp_path / "operator", tmp_path / "data"]) == tmp_path / "operator" / "tiny"
    assert find(model, [tmp_path / "empty", tmp_path / "data"]) == tmp_path / "data" / "tiny"


def test_leaves_out_a_model_that_does_not_run_on_this_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlance_speech.models.sys.platform", "darwin")
    table = read_table()
    assert "svox-pico" not in [model.name for model in choose(table, [])]
    with pytest.raises(ModelError, match="does not run on darwin"):
        choose(table, ["svox-pico"])


def test_refuses_one_flipped_bit_and_names_the_file(tmp_path: Path) -> None:
    model = read_table(_table(tmp_path))["tiny"]
    flipped = bytearray(WEIGHTS)
    flipped[4321] ^= 1
    file = _place(tmp_path / "data", bytes(flipped))
    with pytest.raises(ModelError, match="SHA-256 differs") as refused:
        find(model, [tmp_path / "data"])
    assert str(file) in str(refused.value)


def test_says_how_to_get_a_model_that_is_missing(tmp_path: Path) -> None:
    model = read_table(_table(tmp_path))["tiny"]
    with pytest.raises(ModelError, match="npm run voice:setup"):
        find(model, [tmp_path / "data"])


@pytest.mark.parametrize("path", ["../model.bin", "/etc/passwd"])
def test_refuses_a_table_with_a_file_outside_the_folder_of_its_model(tmp_path: Path, path: str) -> None:
    with pytest.raises(ModelError, match="outside its folder"):
        read_table(_table(tmp_path, path=path))


def test_says_which_table_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "table.json"
    broken.write_text("{")
    with pytest.raises(ModelError, match="table.json cannot be read"):
        read_table(broken)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"SPEECH_KEY": "short"}, "SPEECH_KEY"),
        ({"SPEECH_PORT": "70000"}, "SPEECH_PORT"),
        ({"SPEECH_THREADS": "two"}, "SPEECH_THREADS"),
        ({"SPEECH_MODELS_DIR": ""}, "SPEECH_MODELS_DIR"),
    ],
)
def test_refuses_a_setting_with_one_sentence(changed: Dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        settings_from({"SPEECH_KEY": "0123456789abcdef", "SPEECH_MODELS_DIR": "/models", **changed})
