"""Speech by Kokoro-82M on onnxruntime."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, List, Optional

import numpy as np
import onnxruntime

from .lane import Stop, Stopped
from .mouth import Mouth, with_pause
from .phonemes import Phonemizer

#: The window of the model, without the pads at its two ends.
_MAX_TOKENS = 510
#: Kokoro's voices carry their language in the first letter. Japanese and Chinese ones need other phonemizers.
_LANGUAGES = {"a": "en-us", "b": "en-gb", "e": "es", "f": "fr", "h": "hi", "i": "it", "p": "pt-br"}
_DEFAULT_VOICE = "af_heart"
#: Kokoro has voices that imitate these of OpenAI.
_ALIASES = {"alloy": "af_alloy", "echo": "am_echo", "fable": "bm_fable", "nova": "af_nova", "onyx": "am_onyx"}


class Kokoro(Mouth):
    def __init__(self, folder: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Spinning threads take the cores from recognition.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Every clause has another length: planned blocks are not used again, and malloc alone fragments to three times the memory.
        options.enable_mem_pattern = False
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        vocabulary = Path(__file__).with_name("kokoro-vocabulary.json").read_text(encoding="utf-8")
        self._vocabulary: Dict[str, int] = json.loads(vocabulary)
        self._phonemizer = Phonemizer()
        self._styles: Dict[str, np.ndarray] = {
            path.stem: np.fromfile(path, np.float32).reshape(-1, 1, 256)
            for path in sorted((folder / "voices").glob("*.bin"))
            if path.stem[0] in _LANGUAGES
        }

    @property
    def voices(self) -> List[str]:
        return list(self._styles)

    def voice(self, name: Optional[str]) -> str:
        """The voice of this name. A name that does not exist is refused: another voice would surprise the caller."""
        voice = _ALIASES.get(name, name) if name else _DEFAULT_VOICE
        if voice not in self._styles:
            raise self._unknown(name)
        return voice

    def language(self, voice: str) -> str:
        return _LANGUAGES[voice[0]]

    def speak(self, clause: str, voice: str, speed: float, stop: Optional[Stop] = None) -> np.ndarray:
        phonemes = self._phonemizer.phonemes(clause, self.language(voice))
        tokens = [self._vocabulary[sign] for sign in phonemes if sign in self._vocabulary]
        stop = stop or Stop()
        spoken = [
            self._infer(tokens[at : at + _MAX_TOKENS], voice, speed, stop) for at in range(0, len(tokens), _MAX_TOKENS)
        ]
        if not spoken:
            return np.zeros(0, np.float32)
        return with_pause(np.concatenate(spoken), clause, speed)

    def _infer(self, tokens: List[int], voice: str, speed: float, stop: Stop) -> np.ndarray:
        styles = self._styles[voice]
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": styles[min(len(tokens), len(styles) - 1)],
            "speed": np.array([speed], np.float32),
        }
        try:
            return np.asarray(self._session.run(None, inputs, stop.options)[0], np.float32).reshape(-1)
        except Exception as error:
            if stop.is_set:
                raise Stopped from error
            raise
