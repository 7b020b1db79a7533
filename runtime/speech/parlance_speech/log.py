"""One JSON object a line on standard error. Words that were spoken are never logged."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")
        entry = {"level": record.levelname.lower(), "time": time, "name": "speech", "msg": record.getMessage()}
        entry.update(getattr(record, "fields", {}))
        # The type and the place say what failed. The message of an exception may quote the request.
        if record.exc_info and record.exc_info[1] is not None:
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            entry["error"] = record.exc_info[0].__name__ if record.exc_info[0] else "Exception"
            if trace is not None:
                entry["at"] = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        return json.dumps(entry, ensure_ascii=False)


logger = logging.getLogger("parlance_speech")


def set_up_logging() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logger.setLevel(logging.INFO)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def log(message: str, **fields: object) -> None:
    logger.info(message, extra={"fields": fields})
