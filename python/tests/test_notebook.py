# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tutorial, executed cell by cell: it stores the outputs that its cells give. `python test_notebook.py` stores them anew."""

import pathlib
import re
import sys
import tempfile

CELL = re.compile(r"/\S*/ipykernel_\d+/\d+\.py")  # where ipykernel says that a cell's code is
NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python-tutorial.ipynb"


def executed(folder):
    """The notebook with the outputs of a run on this machine, and without what differs between runs."""
    import nbclient
    import nbformat

    made = nbformat.read(NOTEBOOK, 4)
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    for cell in made.cells:
        cell.metadata.pop("execution", None)  # times
        for output in cell.get("outputs", []):
            for texts in (output, output.get("data", {})):
                texts.update({kind: CELL.sub("cell.py", text) for kind, text in texts.items() if isinstance(text, str)})
    return made


def stored(output):
    """An output as the notebook stores it: without the page of the timings, which is a program of its own."""
    data = output.get("data", {})
    if "<iframe" in data.get("text/html", ""):
        del data["text/html"]
    return output


def columns(timings):
    """The headings of a table of timings, whose width depends on the longest name and time."""
    return next(line for line in timings["data"]["text/plain"].splitlines() if line.strip("─ ")).split()[:3]


def test_the_tutorial_gives_the_outputs_that_it_stores(tmp_path):
    import pytest

    for module in ("ipykernel", "nbclient", "nbformat"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    import nbformat

    made = executed(tmp_path)
    *_, timings = outputs = [output for cell in made.cells for output in cell.get("outputs", [])]
    text = "".join(output.get("text", "") for output in outputs)
    assert "^" in text and "line 3" in text  # the error's place
    assert ".visible .entry" in text
    assert "<iframe" in timings["data"]["text/html"]
    *kept, kept_timings = [output for cell in nbformat.read(NOTEBOOK, 4).cells for output in cell.get("outputs", [])]
    assert kept == [stored(output) for output in outputs[:-1]], f"the notebook's outputs are old: {sys.executable} {__file__}"
    assert "text/html" not in kept_timings["data"] and columns(kept_timings) == columns(timings)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        notebook = executed(scratch)
    for each in notebook.cells:
        for one in each.get("outputs", []):
            stored(one)
    import nbformat as writer

    writer.write(notebook, NOTEBOOK)
