"""The titles: 18CZ and 18Mag, each as data files and one module per chapter of its rulebook."""
