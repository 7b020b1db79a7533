"""The end of a turn by Smart Turn on onnxruntime: whether a person has finished, by the melody of the voice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from faster_whisper.feature_extractor import FeatureExtractor

from .audio import RATE
from .lane import Stop

#: The window of the model. It looks at the end of a turn, and a shorter one has silence before it.
SECONDS = 8


class SmartTurn:
    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._features = FeatureExtractor(chunk_length=SECONDS)

    def finished(self, audio: np.ndarray, stop: Stop) -> float:
        """The probability that the turn is over."""
        window = np.zeros(SECONDS * RATE, np.float32)
        end = audio[-len(window) :]
        if len(end) > 0:
            window[-len(end) :] = end
        window = (window - window.mean()) / np.sqrt(window.var() + 1e-7)
        features = self._features(window, padding=0)[None].astype(np.float32)
        [[probability]] = self._session.run(None, {"input_features": features}, stop.options)[0].reshape(1, 1)
        return float(probability)
