"""The OpenAPI document: whoever reads nothing else can write a program that plays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from msgspec import Struct
from sqlalchemy.exc import OperationalError

from ostbahn.bots.registry import all_bots
from ostbahn.interop.saves import encode_action
from ostbahn.kits.catalogue import kits
from ostbahn.server.faults import Busy
from ostbahn.server.web.openapi import Components, common_words
from ostbahn.server.web.services import Services
from ostbahn.table.access import Access
from tests.server.contract import METHODS, Contract, served
from tests.server.network import Json, listening, open_table
from tests.server.sample_games import random_game
from tests.server.tables import WAYS


@pytest.fixture(scope="module")
def contract(net: httpx.Client) -> Contract:
    return served(net)


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert method in METHODS
            yield f"{method.upper()} {path}", operation


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """All objects within a document."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(inner)


# Words


def test_every_operation_parameter_and_response_is_described(contract: Contract) -> None:
    missing = []
    for where, operation in operations(contract.document):
        described = {where: operation.get("description"), f"{where} (summary)": operation.get("summary")}
        described |= {f"{where} ?{each['name']}": each.get("description") for each in operation.get("parameters", ())}
        described |= {f"{where} {status}": each["description"] for status, each in operation["responses"].items()}
        missing += [place for place, words in described.items() if not words]
    assert missing == []


def test_every_schema_and_field_is_described(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    missing = [name for name, schema in schemas.items() if not schema.get("description")]
    missing += [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, words in schema.get("properties", {}).items()
        if not words.get("description")
    ]
    assert missing == []


def test_a_field_is_described_by_the_string_below_it_and_otherwise_by_its_name() -> None:
    schema = Components([], [Sample]).schemas["Sample"]
    assert schema["description"] == "A sample."
    assert schema["properties"]["seat"]["description"] == "Its own words,\non two lines."
    assert schema["properties"]["company"]["description"] == common_words()["fields"]["company"]
    assert "description" not in schema["properties"]["nowhere_described"]


class Sample(Struct):
    """A sample."""

    seat: str
    """Its own words,
    on two lines."""
    company: str
    nowhere_described: int


def test_no_words_are_kept_for_fields_and_parameters_that_are_gone(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"].values()
    fields = {field for schema in schemas for field in schema.get("properties", ())}
    parameters = {
        each["name"] for _, operation in operations(contract.document) for each in operation.get("parameters", ())
    }
    assert set(common_words()["fields"]) - fields == set()
    assert set(common_words()["parameters"]) - parameters == set()


# Names


def test_names_are_unique_readable_and_made_for_programs(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    ids = [operation["operationId"] for _, operation in operations(contract.document)]
    assert [name for name in schemas if not re.fullmatch(r"[A-Z][A-Za-z0-9]+", name)] == []
    assert {name: schema.get("title") for name, schema in schemas.items() if schema.get("title") != name} == {}
    assert [name for name in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name)] == []
    assert [name for name, number in Counter(ids).items() if number > 1] == []


def test_every_reference_leads_somewhere(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    references = {part["$ref"] for part in parts(contract.document) if "$ref" in part}
    assert references - {f"#/components/schemas/{name}" for name in schemas} == set()
    assert {f"#/components/schemas/{name}" for name in schemas} - references == set(), "which nothing refers to"


# Actions, seats


def test_actions_are_a_union_for_each_title(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    assert set(contract.document["components"]["schemas"]["NewTable"]["properties"]["title"]["enum"]) == set(kits())
    for title in kits():
        union = schemas[f"Action{title}"]
        mapping = union["discriminator"]["mapping"]
        assert union["discriminator"]["propertyName"] == "do"
        assert {part["$ref"] for part in union["anyOf"]} == set(mapping.values())
        for tag, reference in mapping.items():
            member = schemas[reference.rpartition("/")[2]]
            assert member["properties"]["do"]["const"] == tag
            assert "do" in member["required"]
    lay = schemas["LayTile18CZ"]
    assert set(lay["required"]) == {"do", "hex", "tile", "rotation"}
    assert set(lay["properties"]) == {"do", "hex", "tile", "rotation", "waiver"}
    for name in ("SentAnswer", "SentAction", "AnswerView", "RoutesView", "HintView", "AlternativeView"):
        assert schemas[name]["properties"]["action"]["$ref"] == "#/components/schemas/Action", name


def test_a_client_that_reads_an_action_as_one_of_another_title_loses_no_field(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    lay = schemas["LayTile18Mag"]["properties"].keys() - schemas["LayTile18CZ"]["properties"].keys()
    assert lay, "both have the same tag, but not the same fields"
    actions = [name for name in schemas if name.endswith(tuple(kits()))]
    assert [name for name in actions if schemas[name].get("additionalProperties", True) is not True] == []


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_every_action_of_a_game_is_one_that_the_document_describes(
    contract: Contract, title: str, variant: str
) -> None:
    game = random_game(title, variant)
    described = contract.validator({"$ref": f"#/components/schemas/Action{title}"})
    others = [contract.validator({"$ref": f"#/components/schemas/Action{other}"}) for other in kits() if other != title]
    actions = [encode_action(action) for _, action in game.actions()]
    assert actions
    assert [action for action in actions if not described.is_valid(action)] == []
    assert not described.is_valid({"do": "fly"})
    assert any(not other.is_valid(action) for other in others for action in actions)


@pytest.mark.parametrize("schema", ["NewSeat", "SentSeat"])
def test_who_plays_a_seat_is_an_enumeration(contract: Contract, schema: str) -> None:
    who = contract.validator(contract.document["components"]["schemas"][schema]["properties"]["who"])
    assert all(who.is_valid(code) for code in ("here", "link", "S:2000", *(bot.code for bot in all_bots())))
    assert not any(who.is_valid(code) for code in ("", "me", "R:5", "S:0", "S:", "/tmp/bot.py:Bot", 5))


def test_the_server_seats_exactly_who_the_document_names(contract: Contract, net: httpx.Client) -> None:
    who = contract.validator(contract.document["components"]["schemas"]["NewSeat"]["properties"]["who"])
    for code in ("here", "link", "R", "5", "S:10", "me", "R:5", "S:0", "S:x"):
        seats = [{"name": "A", "who": code}, {"name": "B"}, {"name": "C"}]
        answer = net.post("/api/games", json={"title": "18CZ", "seats": seats})
        assert (answer.status_code == 201) == who.is_valid(code), code


# Errors


def test_errors_have_one_schema(contract: Contract) -> None:
    for where, operation in operations(contract.document):
        for status, response in operation["responses"].items():
            if status >= "400":
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Fault"}, f"{where} {status}"
    assert contract.document["components"]["schemas"]["Fault"]["required"] == ["error"]


def test_operations_list_the_errors_that_they_can_give(contract: Contract) -> None:
    listed = {operation["operationId"]: set(operation["responses"]) for _, operation in operations(contract.document)}
    assert listed["answerQuestion"] == {"200", "400", "403", "404", "409", "410", "413", "429", "500", "503"}
    assert listed["getTable"] == {"200", "400", "404", "409", "410", "429", "500", "503"}
    assert listed["getQuestion"] == {"200", "304", "400", "404", "409", "410", "429", "500", "503"}
    assert listed["createGame"] == {"201", "400", "403", "413", "429", "500", "503"}
    assert listed["getCatalogue"] == {"200", "400", "500"}
    assert listed["listTournaments"] == {"200", "400", "500", "503"}


def test_a_refusal_names_its_rule_as_described(contract: Contract, net: httpx.Client) -> None:
    host = open_table(net, "here", "here", "here")["host"]
    action = {"do": "buy_share", "company": "ATE"}
    refused = net.post(host.path("answer"), json={"version": host.get()["version"], "action": action})
    assert refused.status_code == 409
    assert set(refused.json()) == {"error", "rule", "rule_text"}
    contract.check(refused)


@pytest.mark.parametrize(("body", "status"), [(b"x" * 400_000, 413), (b"{", 400), (b"\xff", 400), (b"[" * 9_000, 400)])
def test_what_cannot_be_read_is_answered_as_described(
    contract: Contract, net: httpx.Client, body: bytes, status: int
) -> None:
    host = open_table(net, "here", "here", "here")["host"]
    answer = net.post(host.path("answer"), content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    contract.check(answer)


@pytest.mark.parametrize("fault", [Busy("many ask at once"), OperationalError("SELECT 1", {}, Exception("gone"))])
def test_a_server_that_is_busy_says_when_to_come_again(
    contract: Contract, net: httpx.Client, inside: Services, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    host = open_table(net, "here", "here", "here")["host"]

    def fail(who: Access) -> str:
        raise fault

    monkeypatch.setattr(inside.chat, "note", fail)
    answer = net.get(host.path("note"))
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    contract.check(answer)


# Events


def test_the_document_describes_the_messages_of_the_event_stream(
    contract: Contract, net: httpx.Client, address: str
) -> None:
    stream = contract.document["paths"]["/api/t/{key}/events"]["get"]["responses"]["200"]["content"]
    (schema,) = (content["schema"] for content in stream.values())
    assert list(stream) == [schema["contentMediaType"]] == ["text/event-stream"]
    message = contract.validator(schema["contentSchema"]["items"])
    host = open_table(net, "here", "here", "link")["host"]
    with listening(address, host) as heard:
        first = heard.get()
        host.answer()
        host.post("chat", text="Ahoj")
        seen = [first, heard.get(), heard.get(), heard.get()]
    assert {event for event, _ in seen} >= {"state", "presence", "chat"}
    assert all(message.is_valid({"event": event, "data": data}) for event, data in seen), seen
    assert not message.is_valid({"event": "weather", "data": "1"})
