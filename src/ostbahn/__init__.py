"""Ostbahn: the railway games 18CZ and 18Mag, as software to play, host, study and build on."""

__version__ = "0.1.0"
