"""Speech by voices of Piper (VITS) on onnxruntime: an operator's own voice for a language that Kokoro does not speak."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np
import onnxruntime

from .espeak import EspeakNg
from .lane import Stop, Stopped
from .mouth import OPENAI_VOICES, Mouth, at_rate, with_pause
from .phonemes import with_punctuation

_BEGIN, _PAD, _END = "^", "_", "$"


class Piper(Mouth):
    """One voice, of the name of its model. `model.onnx.json` is the configuration that Piper's voices come with."""

    def __init__(self, name: str, folder: Path, threads: int) -> None:
        config = json.loads((folder / "model.onnx.json").read_text(encoding="utf-8"))
        self._name = name
        self._language: str = config["espeak"]["voice"]
        self._sample_rate: int = config["audio"]["sample_rate"]
        self._ids: Dict[str, List[int]] = config["phoneme_id_map"]
        inference = config.get("inference", {})
        self._noise: float = inference.get("noise_scale", 0.667)
        self._length: float = inference.get("length_scale", 1.0)
        self._noise_of_lengths: float = inference.get("noise_w", 0.8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Spinning threads take the cores from recognition.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._has_speakers = any(given.name == "sid" for given in self._session.get_inputs())
        self._espeak = EspeakNg()

    @property
    def voices(self) -> List[str]:
        return [self._name]

    def voice(self, name: Optional[str]) -> str:
        if name and name != self._name and name not in OPENAI_VOICES:
            raise self._unknown(name)
        return self._name

    def language(self, voice: str) -> str:
        return self._language

    def speak(self, clause: str, voice: str, speed: float, stop: Optional[Stop] = None) -> np.ndarray:
        phonemes = with_punctuation(clause, lambda part: self._espeak.ipa(part, self._language, ties=False))
        ids = self._ids_of(phonemes)
        if len(ids) <= len(self._ids[_BEGIN]) + len(self._ids[_PAD]) + len(self._ids[_END]):
            return np.zeros(0, np.float32)
        scales = [self._noise, self._length / speed, self._noise_of_lengths]
        inputs = {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": np.array(scales, np.float32),
        }
        if self._has_speakers:
            inputs["sid"] = np.array([0], np.int64)
        stop = stop or Stop()
        try:
            sound = np.asarray(self._session.run(None, inputs, stop.options)[0], np.float32).reshape(-1)
        except Exception as error:
            if stop.is_set:
                raise Stopped from error
            raise
        return with_pause(at_rate(sound, self._sample_rate), clause, speed)

    def _ids_of(self, phonemes: str) -> List[int]:
        ids = [*self._ids[_BEGIN], *self._ids[_PAD]]
        for sign in unicodedata.normalize("NFD", phonemes):
            if sign in self._ids:
                ids += [*self._ids[sign], *self._ids[_PAD]]
        return [*ids, *self._ids[_END]]
