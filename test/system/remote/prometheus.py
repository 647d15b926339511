# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads Prometheus' text format, strictly. Where PyPI's prometheus_client is installed, its own parser must read the same samples."""
import re

NAME, LABEL = r"[a-zA-Z_:][a-zA-Z0-9_:]*", r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")


def unescape(text):
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


def read(text):
    """{(name, ((label, value), ...)): number}. Each metric has its HELP and TYPE before its samples, which stand together; counters end in _total."""
    assert text.endswith("\n")
    samples, types, name = {}, {}, None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, help_text = line.removeprefix("# HELP ").split(" ", 1)
            assert name not in types and help_text, line
            types[name] = None
        elif line.startswith("# TYPE "):
            typed, kind = line.removeprefix("# TYPE ").split(" ")
            assert typed == name and types[name] is None and kind in ("counter", "gauge"), line
            types[name] = kind
            assert (kind == "counter") == name.endswith("_total"), line
        else:
            found = SAMPLE.fullmatch(line)
            assert found and found[1] == name and types[name], line
            labels = tuple((label, unescape(value)) for label, value in re.findall(LABEL, found[2] or ""))
            assert (name, labels) not in samples, line
            samples[name, labels] = float(found[found.lastindex])
    return samples


def read_with_client(text):
    """The samples as prometheus_client reads them; None: it is not installed."""
    try:
        from prometheus_client.parser import text_string_to_metric_families
    except ImportError:
        return None
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for family in text_string_to_metric_families(text) for sample in family.samples}
