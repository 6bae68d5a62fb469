"""Pictures of boards, tiles, charts and cards as SVG, for the web page, the command line, notebooks and paper."""
