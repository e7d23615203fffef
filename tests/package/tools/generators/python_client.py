"""The script of program.ts through a client that openapi-python-client generated."""

import json
import os

from api import AuthenticatedClient
from api.api.read import get_by_key, query_sorted
from api.api.write import create_or_update, delete_by_id, update_by_id
from api.models import ChangeSomeProperty, Error, ObjectTestType, Page, QuerySortedVar, Resource, ResourceDraft
from api.models import ResourceUpdate

PROJECT = os.environ["PROJECT"]
client = AuthenticatedClient(base_url=os.environ["SERVICE"], token=os.environ["TOKEN"])


def resource(answer: object) -> Resource:
    assert isinstance(answer, Resource), answer
    return answer


def create(key: str, custom: str, number: int) -> Resource:
    arrays = ObjectTestType(array_of_int_example=[number])
    body = ResourceDraft(key=key, custom=custom, object_type_property=arrays)
    return resource(create_or_update.sync(PROJECT, client=client, body=body))


def update(id: str, version: int) -> list[object]:
    action = ChangeSomeProperty(action="changeSomeProperty", some_property="new")
    body = ResourceUpdate(version=version, actions=[action])
    response = update_by_id.sync_detailed(PROJECT, id, client=client, body=body)
    failed = response.parsed
    return [response.status_code, failed.errors[0].current_version if isinstance(failed, Error) else None]


first = create("first", "red & blue", 7)
create("second", "green", 7)
create("third", "red & blue", 8)
read = resource(get_by_key.sync(PROJECT, "first", client=client))
variables = QuerySortedVar()
variables["var.custom"] = "red & blue"
where = ["arrayOfIntExample contains any (7)", "custom = :custom"]
page = query_sorted.sync(PROJECT, client=client, where=where, var=variables)
assert isinstance(page, Page), page
updated = update(first.id, first.version)
stale = update(first.id, first.version)
removed = resource(delete_by_id.sync(PROJECT, first.id, client=client, version=first.version + 1))
result = {
    "version": first.version,
    "isFound": read.id == first.id,
    "keys": [one.key for one in page.results],
    "updated": updated,
    "stale": stale,
    "isRemoved": removed.id == first.id,
}
print("REPORT " + json.dumps(result))
