"""The table of models, and the check that every byte of a model is the expected one."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

TABLE = Path(__file__).resolve().parent.parent / "models.json"


class ModelError(Exception):
    """A sentence for the person who starts the service."""


@dataclass(frozen=True)
class ModelFile:
    path: str
    bytes: int
    sha256: str
    #: Its public home.
    url: Optional[str] = None


@dataclass(frozen=True)
class Model:
    name: str
    kind: str
    engine: str
    license: str
    languages: Tuple[str, ...]
    files: Tuple[ModelFile, ...]
    aliases: Tuple[str, ...]
    is_default: bool
    #: Names of `sys.platform`; empty for all.
    platforms: Tuple[str, ...] = ()

    @property
    def runs_here(self) -> bool:
        return not self.platforms or sys.platform in self.platforms

    @property
    def weights(self) -> ModelFile:
        """The largest file."""
        return max(self.files, key=lambda file: file.bytes)

    @property
    def sha256(self) -> Optional[str]:
        """None for a model that comes with the Python packages."""
        return self.weights.sha256 if self.files else None


def _model(row: Mapping[str, object]) -> Model:
    files = tuple(
        ModelFile(str(f["path"]), int(f["bytes"]), str(f["sha256"]), f.get("url"))
        for f in row["files"]  # type: ignore
    )
    for file in files:
        if Path(file.path).is_absolute() or ".." in Path(file.path).parts:
            raise ModelError(f'The model {row["name"]} has a file outside its folder: {file.path}.')
    return Model(
        name=str(row["name"]),
        kind=str(row["kind"]),
        engine=str(row["engine"]),
        license=str(row["license"]),
        languages=tuple(row["languages"]),  # type: ignore
        files=files,
        aliases=tuple(row.get("aliases", ())),  # type: ignore
        is_default=bool(row.get("default", False)),
        platforms=tuple(row.get("platforms", ())),  # type: ignore
    )


def read_table(further: Optional[Path] = None) -> Dict[str, Model]:
    """The models of this release, and those of an operator's file, which win over equal names."""
    table: Dict[str, Model] = {}
    for path in (TABLE, further):
        if path is None:
            continue
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))["models"]
            table.update({model.name: model for model in map(_model, rows)})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"The table of models {path} cannot be read ({type(error).__name__}: {error}): correct it as "
                "runtime/speech/README.md describes."
            ) from error
    return table


def choose(table: Mapping[str, Model], names: Sequence[str]) -> List[Model]:
    """The named models; without names, those that the tables mark as default."""
    if not names:
        return [model for model in table.values() if model.is_default and model.runs_here]
    for name in names:
        if name not in table:
            raise ModelError(f"SPEECH_MODELS names {name}, which is no model of the table: use {', '.join(table)}.")
        if not table[name].runs_here:
            raise ModelError(f"SPEECH_MODELS names {name}, which does not run on {sys.platform}: leave it out.")
    return [table[name] for name in names]


def digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def find(model: Model, folders: Iterable[Path]) -> Path:
    """The first folder that has the model, after every file of it has been verified."""
    searched = [folder / model.name for folder in folders]
    for folder in searched:
        if (folder / model.weights.path).is_file():
            verify(model, folder)
            return folder
    raise ModelError(
        f"The model {model.name} is not in {' or '.join(str(folder) for folder in searched)}: run `npm run voice:setup`."
    )


def verify(model: Model, folder: Path) -> None:
    for file in model.files:
        path = folder / file.path
        if not path.is_file():
            raise ModelError(f"{path} of the model {model.name} is missing: run `npm run voice:setup`.")
        if path.stat().st_size != file.bytes or digest_of(path) != file.sha256:
            raise ModelError(
                f"{path} is not the file that the table of models describes (its SHA-256 differs), so it is not used: "
                "delete it and run `npm run voice:setup`."
            )
