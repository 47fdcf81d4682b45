"""Programs that documents print are parts of files that are tested: the first line of a block names its file."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(?:python|typescript|javascript)\n(?:#|//) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNNAMED = re.compile(r"^```(?:python|typescript|javascript)\n(?!(?:#|//) \S+\n)(.*)$", re.MULTILINE)
DOCUMENTS = [
    *("docs/guide/pytest.md", "docs/guide/typescript.md", "kits/python/README.md", "kits/typescript/README.md"),
    *("examples/portfolio-python/README.md", "examples/portfolio-typescript/README.md"),
]


def lost(text: str) -> list[str]:
    """Blocks of a document that are not in the file that they name, or that name none."""
    found = [f"a block names no file: {line}" for line in UNNAMED.findall(text)]
    for name, block in BLOCK.findall(text):
        file = ROOT / name
        source = textwrap.dedent(file.read_text(encoding="utf-8")) if file.is_file() else ""
        if "\n" + block.strip("\n") + "\n" not in "\n" + source:
            found.append(f"{name} has not:\n{block}")
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_program_that_is_printed_is_in_a_tested_file(document: str) -> None:
    assert lost((ROOT / document).read_text(encoding="utf-8")) == []


def test_a_program_that_is_not_tested_is_found() -> None:
    assert lost("```python\n# kits/python/tests/test_documents.py\nnot = there\n```\n")
    assert lost("```python\nunnamed = 1\n```\n")
    assert not lost("```python\n# kits/python/tests/test_documents.py\nROOT = Path(__file__).parents[3]\n```\n")


@pytest.mark.parametrize("document", [*DOCUMENTS, "docs/guide/containers.md"])
def test_every_link_leads_to_a_file(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
