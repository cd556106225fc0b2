"""What Schemathesis must know of the engine: loaded by SCHEMATHESIS_HOOKS."""

import re
import uuid

import schemathesis

# Rules that JSON Schema, or a schema of one parameter, cannot state. Each is named by `errors` of the answer.
TOLD_BY_THE_ANSWER_ONLY = [
    # Opaque texts and ids: what the pattern allows is not all there, or not written by the API.
    r"^is not a cursor of this list$",
    r"^must be the id of an event of this API$",
    r"^is no (capture|sale) of this payment$",
    r"^is not a plan of this application$",
    r"^is a plan that is \w+, not active$",
    # Private data.
    r"looks like a payment card number",
    r"must not have a payment card number as a name$",
    r"^must not hold (an e-mail address|credentials)$",
    r"^must not start with \"(policy|console):\"$",
    # What depends on another field or parameter: the currency, the order of items, the intent.
    r"^needs `currency`$",
    r"^must add up to the amount ",
    r"^must have at most 10 characters, with all decimals of [A-Z]{3}$",
    r"^[A-Z]{3} has (no|\d+) decimals?",
    r"^is too large$",
    r"^must be [A-Z]{3}(: all items of a batch|, as )",
    r"^is already the id of item \d+$",
    r"^must be at most \d+ for (DAY|WEEK|MONTH|YEAR)$",
    r"^is not allowed for a sale",
    # Clocks, and the words of URL, date and Unicode, which `format` says more loosely.
    r"^must be in the future$",
    r"^must (not )?be later than ",
    r"^must be an ISO 8601 instant ",
    r"^must be an absolute http or https address$",
    r"^must be well-formed Unicode$",
    r"address|resolve",  # of an endpoint: names are looked up
]


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key of its own for most requests: a generator likes to repeat "0", and each repeat would be a 409."""
    headers = case.headers or {}
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or "Idempotency-Key" not in headers:
        return
    if uuid.uuid4().int % 8 > 0:
        headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.check
def refuses_by_unstatable_rules_only(ctx, response, case):
    """What the document allows is not malformed, and is refused only by a rule that it cannot state."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    problem = response.json()
    errors = problem.get("errors") or [{"detail": problem.get("detail", "")}]
    unknown = [error for error in errors if not any(re.search(rule, error["detail"]) for rule in TOLD_BY_THE_ANSWER_ONLY)]
    # The tool itself unquotes such a header sometimes.
    if [error.get("header") for error in unknown] == ["If-Match"] and '"' not in (case.headers or {}).get("If-Match", ""):
        return
    assert not unknown, f"the document allows what is refused: {unknown}"
