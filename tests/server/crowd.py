"""A server that is made to suffer: `python -m tests.server.crowd URL DATA WORKERS CLOCK`.

As `ostbahn serve --workers`, but without limits for those who ask, with bots that think in the same process, with a
clock that a file puts forward or back, and with workers that are replaced at once however often they are killed.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ostbahn.server.ops.logs import is_news
from ostbahn.server.web import serving
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import create_services
from ostbahn.server.web.serving import Server, listening
from tests.server.site import unlimited


def main(url: str, data: str, workers: str, clock: str) -> None:
    serving.FIRST_PAUSE = serving.LONGEST_PAUSE = serving.TICK = 0.01  # type: ignore[misc]
    logging.basicConfig(format="%(asctime)s %(process)d %(message)s", level=logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(is_news)
    folder = Path(data)

    def now() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(Path(clock).read_text() or 0))

    with listening("127.0.0.1", 0) as listener:

        def work() -> None:
            inside = create_services(url, now, data=folder, damaged={})
            Server(RequestMiddleware(unlimited(inside), inside.settings, inside.metrics)).run(sockets=[listener])

        made = create_services(url, now, data=folder)  # all that takes long is done before workers are forked
        unlimited(made)
        made.database.close()
        print(listener.getsockname()[1], flush=True)
        serving.Supervisor(int(workers), work, logging.warning).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
