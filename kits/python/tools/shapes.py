"""Writes `src/fundsim/shapes.py`, or with `--check` compares it: the types of `fundsim openapi`, as typed dictionaries.

usage: tools/shapes.py FUNDSIM_BINARY [--check]
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path(__file__).parents[1] / "src/fundsim/shapes.py"
HEAD = '''"""Shapes of the API, made from `fundsim openapi` by `tools/shapes.py`. Do not edit.

Numbers with decimals are read as `Decimal`, because money is exact.
"""
'''

OPTIONS = """
    --input-file-type=openapi --output-model-type=typing.TypedDict --target-python-version=3.11 --disable-timestamp
    --use-schema-description --use-field-description --enum-field-as-literal=all --use-union-operator
    --use-standard-collections --use-double-quotes --formatters=builtin --parent-scoped-naming
"""


def _opened(schema: dict[str, object]) -> dict[str, object]:
    """A schema that says nothing of further properties: closed dictionaries are not in `typing` yet (PEP 728)."""
    schema.pop("additionalProperties", None)
    return schema


def generated(program: str) -> str:
    """The text of the module, for one build of the program."""
    description = subprocess.run([program, "openapi"], capture_output=True, check=True).stdout
    opened = json.loads(description, object_hook=_opened)
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "openapi.json"), Path(folder, "shapes.py")
        source.write_text(json.dumps(opened), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("datamodel-codegen")), "--input", str(source), "--output", str(made)]
        subprocess.run([*command, *OPTIONS.split()], check=True, stderr=subprocess.DEVNULL)
        text = made.read_text(encoding="utf-8")
    text = re.sub(r"\A(#.*\n)+", "", text)
    text = re.sub(r"^Money: TypeAlias = float$", "Money: TypeAlias = Decimal", text, flags=re.MULTILINE)
    text = re.sub(r"\bfloat\b", "Decimal | int", text)
    text = text.replace("from typing import", "from decimal import Decimal\nfrom typing import", 1)
    return HEAD + text


def main() -> None:
    """Writes or compares."""
    text = generated(sys.argv[1])
    if sys.argv[2:] != ["--check"]:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET} is not what `fundsim openapi` says: run tools/shapes.py {sys.argv[1]}")


if __name__ == "__main__":
    main()
