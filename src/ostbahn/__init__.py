"""Ostbahn: railway games of the 18xx family, as software to play, host, study and build on."""

__version__ = "0.1.0"
