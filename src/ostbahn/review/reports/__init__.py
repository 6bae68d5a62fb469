"""The report of a game: what is in it, its charts, and how it becomes a page, a PDF or files with figures."""
