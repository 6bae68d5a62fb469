"""Before the application: by which name it is called, who may see how the server is, what is counted, and its end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from queue import Queue
from threading import Thread

import httpx
import pytest

from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.settings import Secret, Settings
from tests.server.fronts import Served, served
from tests.server.network import listening, open_table, until
from tests.server.tables import game_service_on, wanted

TOKEN = "a-token-of-many-letters"
PUBLIC = Settings(public_url="https://games.example.org", metrics_token=Secret(TOKEN), trust_proxy=("127.0.0.1",))
PROXIED = {"Host": "games.example.org", "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}
NEW = {"game": "18CZ/base", "players": "3"}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site behind a proxy."""
    with served(sqlite_url_in(tmp_path_factory.mktemp("data")), PUBLIC) as found:
        yield found


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on one's own machine."""
    with served(sqlite_url_in(tmp_path_factory.mktemp("data")), Settings()) as found:
        yield found


# Names


@pytest.mark.parametrize("host", ["games.example.org", "GAMES.example.org:443", "games.example.org."])
def test_a_site_answers_to_its_name(public: Served, host: str) -> None:
    assert public.net.get("/", headers=PROXIED | {"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["", "evil.example.org", "127.0.0.1:8018", "games.example.org.evil.org", "a@b:c"])
def test_and_to_no_other(public: Served, host: str) -> None:
    answer = public.net.get("/", headers=PROXIED | {"Host": host})
    assert (answer.status_code, answer.text) == (421, "This server is not known by that name.\n")
    assert public.net.get("/health/live", headers={"Host": host}).json() == {"live": True}


def test_what_comes_by_https_stays_there(public: Served, private: Served) -> None:
    answer = public.net.post("/new", data=NEW, headers=PROXIED | {"X-Forwarded-Proto": "http"})
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert "Secure" in answer.headers["set-cookie"]
    answer = private.net.post("/new", data=NEW)
    assert "strict-transport-security" not in answer.headers
    assert "Secure" not in answer.headers["set-cookie"]


def test_the_number_of_a_request_is_that_of_a_proxy_which_is_believed(public: Served, private: Served) -> None:
    sent = {"X-Request-ID": "abc-123"}
    assert public.net.get("/health/live", headers=sent).headers["x-request-id"] == "abc-123"
    assert re.fullmatch(r"[0-9a-f]{16}", private.net.get("/health/live", headers=sent).headers["x-request-id"])
    strange = public.net.get("/health/live", headers={"X-Request-ID": "a b\tc"}).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{16}", strange)


# Health and figures


def test_strangers_learn_only_whether_it_works(public: Served, private: Served) -> None:
    assert public.net.get("/health/ready").json() == {"ready": True}
    assert public.net.get("/health/ready", headers=BEARER).json() == {"ready": True, "faults": []}
    assert private.net.get("/health/ready").json() == {"ready": True, "faults": []}


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer ä"}]
)
def test_figures_of_a_site_need_the_token(public: Served, headers: dict[str, str]) -> None:
    sent = {name.encode(): value.encode() for name, value in headers.items()}
    assert public.net.get("/metrics", headers=sent).status_code == 403
    assert public.net.get("/metrics", headers=BEARER).status_code == 200


@pytest.mark.parametrize("headers", [{"X-Forwarded-For": "192.0.2.7"}, {"Via": "1.1 a"}, {"Host": "evil.example.org"}])
def test_without_a_token_figures_are_for_this_machine_alone(private: Served, headers: dict[str, str]) -> None:
    assert private.net.get("/metrics").status_code == 200
    assert private.net.get("/metrics", headers=headers).status_code == 403


def figure(served: Served, name: str, headers: dict[str, str] | None = None) -> float:
    text = served.net.get("/metrics", headers=headers).text
    found = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[0]) if found else 0.0


def test_figures_tell_routes_and_no_keys(private: Served) -> None:
    seats = open_table(private.net, "here", "R", "link")
    for _ in range(3):
        seats["host"].get()
    seats["host"].answer()
    until(lambda: figure(private, 'ostbahn_bot_thinking_seconds_count{bot="R"}'))
    with listening(private.address, seats["host"]) as heard:
        heard.get()
        assert figure(private, "ostbahn_pages_listening") == 1
    until(lambda: figure(private, "ostbahn_pages_listening") == 0)
    private.net.get("/nowhere/at/all/sesame")
    told = private.net.get("/metrics").text
    assert figure(private, 'ostbahn_answers_total{method="GET",route="/api/t/{key}",status="200"}') >= 3
    assert figure(private, 'ostbahn_answers_total{method="GET",route="(none)",status="404"}') == 1
    assert figure(private, 'ostbahn_refused_requests_total{why="not there"}') == 1
    assert figure(private, 'ostbahn_games{which="open"}') >= 1
    assert figure(private, 'ostbahn_games{which="active"}') >= 1
    assert 'ostbahn_answer_seconds_bucket{le="0.3",method="POST",route="/api/t/{key}/answer"}' in told
    assert "ostbahn_database_connections" in told
    assert "ostbahn_jobs_waiting" in told
    for secret in ("sesame", *(seat.key for seat in seats.values())):
        assert secret not in told


WORKERS = """
import os, sys
from ostbahn.server.metrics import shared_metrics, worker_is_gone

def work():
    from ostbahn.server.metrics import HandledRequest
    from ostbahn.server.ops.prometheus import Prometheus
    from ostbahn.server.ops.health import ServerStats
    figures = Prometheus(lambda: ServerStats(7, 5, {"bot": 2}, 1))
    figures.request_handled(HandledRequest("GET", "/", 200, 0.01))
    figures.stream_opened(1)
    return figures

with shared_metrics():
    first = os.fork()
    if not first:
        work()
        os._exit(0)
    os.waitpid(first, 0)
    second = os.fork()
    if not second:
        figures = work()
        print(figures.exposition()[1].decode(), "---")
        worker_is_gone(first)
        print(figures.exposition()[1].decode(), flush=True)
        os._exit(0)
    os.waitpid(second, 0)
"""


def test_several_workers_tell_their_sum_and_who_is_gone_has_nothing_open() -> None:
    done = subprocess.run([sys.executable, "-c", WORKERS], capture_output=True, text=True, check=True)
    both, one = done.stdout.split("---")
    for told, pages in ((both, 2), (one, 1)):
        assert 'ostbahn_answers_total{method="GET",route="/",status="200"} 2.0' in told
        assert f"ostbahn_pages_listening {pages}.0" in told
        assert 'ostbahn_jobs_waiting{kind="bot"} 2.0' in told


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("UPDATE alembic_version SET version_num = '0006'", "the tables are those of version 0006"),
        ("ALTER TABLE seats RENAME TO gone", "the database does not answer (OperationalError)"),
        ("UPDATE games SET touched = '2020-01-01 00:00:00.000000'", "no bot has answered for "),
    ],
)
def test_a_server_that_cannot_work_is_not_ready(url: str, harm: str, told: str) -> None:
    with served(url, PUBLIC) as site:
        _with_stuck_bot(site.inside.database)
        with site.inside.database.engine.begin() as connection:
            connection.exec_driver_sql(harm)
        answer = site.net.get("/health/ready", headers=BEARER)
        assert answer.status_code == 503
        (fault,) = answer.json()["faults"]
        assert fault.startswith(told)
        assert site.net.get("/health/ready").json() == {"ready": False}
        assert site.net.get("/health/live").status_code == 200


def _with_stuck_bot(database: Database) -> None:
    """A game in which a bot is asked whom nobody wakes."""
    game_service_on(database).create_game(wanted("R", "here", "here"))


# The end


def test_at_the_end_answers_are_finished_and_pages_told_to_come_back(url: str) -> None:
    with served(url, Settings()) as site:
        seats = open_table(site.net)
        answers: Queue[int] = Queue()
        with httpx.stream("GET", f"{site.address}{seats['host'].path('events')}", timeout=None) as page:
            lines = page.iter_lines()
            assert next(lines) == "event: state"
            with site.inside.game_service.holding(site.inside.game_service.access(seats["host"].key).game):
                asker = Thread(target=lambda: answers.put(seats["host"].net.get(seats["host"].path("")).status_code))
                asker.start()
                until(lambda: len(site.server.server_state.tasks) == 2)
                site.server.should_exit = True
                rest = list(lines)
                with pytest.raises(httpx.ConnectError):
                    httpx.get(site.address)
            asker.join()
        assert rest[-2:] == ["retry: 1000", ""]
        assert answers.get() == 200
