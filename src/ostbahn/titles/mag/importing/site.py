"""What 18Mag knows of its games at 18xx.games."""

from __future__ import annotations

from typing import Final

from ostbahn.interop.site import Site
from ostbahn.titles.mag.importing.exporter import MagExporter
from ostbahn.titles.mag.importing.importer import MagImporter
from ostbahn.titles.mag.importing.traces import legal_line, state_line

SITE: Final = Site(MagImporter, MagExporter, ("base", "two_player"), state_line, legal_line)
