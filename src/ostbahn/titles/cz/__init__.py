"""18CZ by Leonhard Orgler: the railway comes to the Czech lands."""
