"""File formats: Ostbahn saves, and exports of 18xx.games."""
