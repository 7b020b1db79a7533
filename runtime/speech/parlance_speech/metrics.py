"""Prometheus metrics. Labels are routes, models and statuses, never anything that a client writes."""

from __future__ import annotations

import resource
import sys

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

_SECONDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "parlance_speech_requests_total", "Requests by route and HTTP status.", ("route", "status"), registry=self.registry
        )
        self.recognition = Histogram(
            "parlance_speech_recognition_seconds",
            "Time from a complete request to its transcript, with the wait in the queue.",
            ("model",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.first_sound = Histogram(
            "parlance_speech_first_sound_seconds",
            "Time from a request for speech to its first audio.",
            ("model",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.turns = Histogram(
            "parlance_speech_end_of_turn_seconds",
            "Time from a complete request to the estimate whether a turn is over.",
            ("model",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.audio = Counter(
            "parlance_speech_audio_seconds_total",
            "Seconds of audio that were heard or spoken.",
            ("model",),
            registry=self.registry,
        )
        self.queue = Gauge(
            "parlance_speech_queue_length", "Jobs that wait for a thread.", ("lane",), registry=self.registry
        )
        peak = Gauge("parlance_speech_peak_memory_bytes", "Most resident memory so far.", registry=self.registry)
        # In bytes on macOS, in KiB elsewhere.
        unit = 1 if sys.platform == "darwin" else 1024
        peak.set_function(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
        self.loaded = Gauge(
            "parlance_speech_model_loaded", "1 when the model is loaded.", ("model",), registry=self.registry
        )
