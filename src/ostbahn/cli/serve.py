"""`ostbahn serve`: what can be said of a server on the command line. For the rest see docs/hosting.md."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ostbahn.cli.faults import fair
from ostbahn.cli.places import Data, Database, SettingsFile
from ostbahn.extras import needed


@fair
def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets others in.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", help="0 takes any that is free.", min=0, max=65535, show_default="8018"),
    ] = None,
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page where there is a display.")
    ] = True,
    limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="How long a bot may think; then another answer is taken.", show_default="20"
        ),
    ] = None,
    thinkers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In how many processes bots think; with 0 in that of the server.",
            min=0,
            max=64,
            show_default="by cores, 2 to 4",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In how many processes pages are answered; more than one needs PostgreSQL.",
            min=1,
            max=64,
            show_default="1",
        ),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where browsers find the site, if a proxy stands before it.")
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy that is believed when it says who asks; or a network of them."),
    ] = None,
    log: Annotated[
        str | None, typer.Option(metavar="text|json", help="How the server tells what it does.", show_default="text")
    ] = None,
) -> None:
    """Play in the browser: alone, at one screen, or with others by links."""
    with needed("web", "serving needs"):
        from ostbahn.server.settings import read_settings
        from ostbahn.server.web import serving

    said = {
        "host": host,
        "port": port,
        "data": data,
        "database": database,
        "limit": limit,
        "thinkers": thinkers,
        "workers": workers,
        "public_url": public_url,
        "trust_proxy": trust_proxy,
        "log.form": log,
    }
    serving.serve(read_settings(said, os.environ, settings), open_browser=browser)
