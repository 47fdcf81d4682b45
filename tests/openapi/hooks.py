"""Ids of this world in the place of drawn ones, so that requests get further than a look for what nobody knows.

Half of the drawn ids stay, and all that links have found; an id of a wrong form stays wrong.
"""

import json
import os
import re
import zlib

import schemathesis

ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
FUND = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9][A-Z]{3}")
KNOWN = json.loads(os.environ["KNOWN"])


def instead(name, value):
    """What replaces `value` under `name`."""
    known = KNOWN.get(name)
    if not known or not isinstance(value, str) or not (ID.fullmatch(value) or FUND.fullmatch(value)):
        return value
    draw = zlib.crc32(value.encode())
    return known[draw // 2 % len(known)] if draw % 2 else value


def filled(name, value):
    if isinstance(value, dict):
        return {key: filled(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(name, item) for item in value]
    return instead(name, value)


@schemathesis.hook
def before_call(context, case, **kwargs):
    if isinstance(case.body, dict):
        case.body = filled("", case.body)
    if case.path_parameters and (case.meta is None or case.meta.phase.name.value != "stateful"):
        # Transactions of either kind share a parameter's name.
        kind = "fund" if "fund" in case.path.lower() else "cash"
        names = {"transactionId": f"{kind}TransactionId"}
        case.path_parameters = {
            name: instead(names.get(name, name), value) for name, value in case.path_parameters.items()
        }
