"""What 18CZ knows of its games at 18xx.games."""

from __future__ import annotations

from typing import Final

from ostbahn.interop.site import Site
from ostbahn.titles.cz.importing.exporter import CzExporter
from ostbahn.titles.cz.importing.importer import CzImporter
from ostbahn.titles.cz.importing.traces import legal_line, state_line

SITE: Final = Site(CzImporter, CzExporter, ("base", "bohemia"), state_line, legal_line)
