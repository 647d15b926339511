# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tutorial, executed cell by cell."""

import pathlib

import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/python-tutorial.ipynb"


def test_the_tutorial_runs(tmp_path):
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    made = nbformat.read(NOTEBOOK, 4)
    assert not any(cell.get("outputs") for cell in made.cells), "the notebook is kept without outputs"
    client.NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in made.cells for output in cell.get("outputs", [])]
    text = "".join(output.get("text", "") for output in outputs)
    assert "^" in text and 'line 3' in text  # the error's place
    assert ".visible .entry" in text
    shown = [output["data"] for output in outputs if "data" in output]
    assert "stride" in shown[0]["text/html"] and "<iframe" in shown[-1]["text/html"]
