"""What Schemathesis must know beyond the description of the API to call it well."""

import schemathesis

# The tokens of this machine are the first two; whoever calls has one of them.
OWN_TOKENS = 2

# The ids of the last requests that were asked.
asked = []

ENDINGS = ("answer", "decline", "cancel")

# Questions that are made up break some rule of theirs more often than not. These don't, and "yes" answers all of them.
QUESTIONS = [
    {"type": "confirm", "message": "Go on?"},
    {"type": "text", "message": "What shall it be called?", "header": "Name"},
    {"type": "multiline", "message": "What has changed?"},
    {"type": "choice", "message": "Which?", "options": ["yes", "no"]},
    {"type": "choice", "message": "Which of them?", "options": ["yes", "no"], "multiSelect": True, "other": True},
    {"type": "dropdown", "message": "Which one?", "options": [{"value": "yes", "label": "Yes"}, "no"]},
]


def name_of(case):
    return case.operation.definition.raw.get("operationId")


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Describes a request in one of its shapes, the form.

    The whole schema chooses between four shapes by rules of which no generator can make anything up. A room is needed because
    the token at hand has none.
    """
    schemas = raw_schema["components"]["schemas"]
    questions = dict(schemas["Request"]["oneOf"][0]["properties"]["questions"])
    kinds = [reference["$ref"].rsplit("/", 1)[1] for reference in questions["items"]["oneOf"]]
    questions["items"] = {"oneOf": [{**schemas[kind], "additionalProperties": False} for kind in kinds]}
    # Large ones only take time; the core's own tests know the limits.
    questions["maxItems"] = 5
    form = {
        "type": "object",
        "required": ["questions", "room"],
        "additionalProperties": False,
        "properties": {**schemas["Envelope"]["properties"], "questions": questions},
    }
    body = raw_schema["paths"]["/api/v1/requests"]["post"]["requestBody"]
    body["content"]["application/json"]["schema"] = form


@schemathesis.hook
def before_call(context, case, kwargs):
    """Waits a second at most, leaves the tokens in use alone, and lets every other valid call be about something real."""
    query, path = case.query or {}, case.path_parameters or {}
    if str(query.get("wait", "")).isdigit() and 1 < int(query["wait"]) <= 60:
        case.query["wait"] = 1
    number = str(path.get("number", ""))
    if number.isdigit() and 1 <= int(number) <= OWN_TOKENS:
        case.path_parameters["number"] = int(number) + OWN_TOKENS
    body = case.body if isinstance(case.body, dict) else {}
    if name_of(case) == "dismiss" and isinstance(body.get("unwaitedFor"), (int, float)) and 1 <= body["unwaitedFor"] < 1000:
        # Nobody waits here: all that is pending would be gone.
        case.body = {**body, "unwaitedFor": 1000}
    # Chosen by what was made up, so that each run is the same.
    chosen = len(str(case.body)) + len(str(query)) + str(path).count("0")
    if not is_valid(case) or chosen % 2:
        return
    if asked and "id" in path and case.operation.path.startswith("/api/v1/requests/"):
        # What is ended is left to one call, so that each finds something pending.
        case.path_parameters["id"] = asked.pop() if name_of(case) in ENDINGS else asked[chosen % len(asked)]
    if name_of(case) == "ask":
        case.body = {"room": "shop", "questions": [QUESTIONS[chosen // 2 % len(QUESTIONS)]]}
        case.query = {}
    if name_of(case) == "answer":
        case.body = {"responses": ["yes"]}


@schemathesis.hook
def after_call(context, case, response):
    if name_of(case) == "ask" and response.status_code == 201:
        asked.append(response.json()["id"])
        del asked[:-50]


# Rules that a schema can express, as `expresses` in crates/askback-core/src/schema.rs has it.
EXPRESSIBLE = {"type", "required", "unknown-field", "length", "count", "word"}


@schemathesis.check
def valid_data_is_taken(ctx, response, case):
    """Whether data that fits its schema is refused for nothing but what a schema can't say."""
    if not is_valid(case) or response.status_code not in (400, 413, 422):
        return None
    # Whether answers are answers depends on what was asked.
    if name_of(case) == "answer" and response.status_code == 422:
        return None
    problem = response.json()
    errors = problem.get("errors", [])
    assert errors, f"refused without a rule: {problem}"
    for error in errors:
        in_answer = "initial" in error["path"] or "default" in error["path"]
        assert in_answer or error["rule"] not in EXPRESSIBLE, f"the schema allows what is refused: {error}"
    return None
