"""What was promised before the first match, in the result file: terms of a comparison, goals, the aim of a
sweep. Later versions are added, never replaced, so that changes show.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from sqlmodel import Session, select

from boardgames.store.connection import open_for_reading, open_for_writing
from boardgames.store.schema import Registration

Content = TypeVar("Content")


class Registered(NamedTuple, Generic[Content]):
    """One version as it is stored."""

    terms: Content
    created: datetime
    matches_before: int  # that were stored already


@dataclass(frozen=True)
class Preregistration(Generic[Content]):
    """All versions of one promise."""

    db: Path
    id: int
    name: str
    write: Callable[[Content], dict[str, Any]]  # what is promised as JSON
    read: Callable[[Mapping[str, Any]], Content]  # and back

    def list_versions(self) -> list[Registered[Content]]:
        """All versions, the oldest first."""
        if not self.db.exists():
            return []
        with open_for_reading(self.db) as session:
            return self._load_versions(session)

    def _load_versions(self, session: Session) -> list[Registered[Content]]:
        rows = session.exec(select(Registration).where(Registration.id == self.id).order_by("version")).all()
        return [Registered(self.read(row.terms), row.created, row.matches_before) for row in rows]

    def latest(self) -> Content | None:
        """The version that counts; None if nothing was promised yet."""
        versions = self.list_versions()
        return versions[-1].terms if versions else None

    def record(self, content: Content, matches_before: int) -> list[Registered[Content]]:
        """Store this unless it equals the latest version; all versions, the oldest first."""
        versions = self.list_versions()
        if versions and versions[-1].terms == content:
            return versions  # without writing, which may have to wait
        with open_for_writing(self.db) as session:
            versions = self._load_versions(session)  # another command may have stored one meanwhile
            if not versions or versions[-1].terms != content:
                session.add(
                    Registration(
                        id=self.id,
                        version=len(versions) + 1,
                        name=self.name,
                        terms=self.write(content),
                        matches_before=matches_before,
                    )
                )
        return self.list_versions()
