"""The outside world's formats: save files, and exports of 18xx.games."""
