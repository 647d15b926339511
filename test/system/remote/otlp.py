# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads an ExportTraceServiceRequest in its JSON encoding, strictly, and by the names of opentelemetry-proto's trace.proto, resource.proto and
common.proto. Where PyPI's opentelemetry-proto is installed, its own parser reads the text as well."""
import json
import re

HEX_TRACE, HEX_SPAN, NUMBER = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{16}"), re.compile("[0-9]+")
VALUE_KINDS = {"stringValue": str, "intValue": str, "boolValue": bool, "doubleValue": float}
REQUEST = {"resourceSpans"}
RESOURCE_SPANS = {"resource", "scopeSpans", "schemaUrl"}
RESOURCE = {"attributes", "droppedAttributesCount"}
SCOPE_SPANS = {"scope", "spans", "schemaUrl"}
SCOPE = {"name", "version", "attributes", "droppedAttributesCount"}
SPAN = {"traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano", "endTimeUnixNano", "attributes", "droppedAttributesCount", "events",
        "droppedEventsCount", "links", "droppedLinksCount", "status"}
SPAN_KIND_INTERNAL = 1


def only(what, names):
    assert isinstance(what, dict) and set(what) <= names, (set(what) - names, what)
    return what


def attributes(of):
    read = {}
    for attribute in of.get("attributes", []):
        only(attribute, {"key", "value"})
        [(kind, value)] = attribute["value"].items()
        assert type(value) is VALUE_KINDS[kind], attribute
        assert kind != "intValue" or NUMBER.fullmatch(value), attribute
        assert attribute["key"] not in read, attribute
        read[attribute["key"]] = int(value) if kind == "intValue" else value
    return read


def read(text):
    """(attributes of the resource, spans by identifier). A span is a dictionary with the times as numbers and `attributes` as a dictionary."""
    request = only(json.loads(text), REQUEST)
    [resource_spans] = request["resourceSpans"]
    only(resource_spans, RESOURCE_SPANS)
    resource = attributes(only(resource_spans["resource"], RESOURCE))
    [scope_spans] = resource_spans["scopeSpans"]
    assert only(scope_spans, SCOPE_SPANS) and only(scope_spans["scope"], SCOPE)["name"] == "kiln"
    spans = {}
    for span in scope_spans["spans"]:
        only(span, SPAN)
        assert HEX_TRACE.fullmatch(span["traceId"]) and int(span["traceId"], 16), span
        assert HEX_SPAN.fullmatch(span["spanId"]) and int(span["spanId"], 16), span
        assert span["name"] and span["kind"] == SPAN_KIND_INTERNAL, span
        assert span["spanId"] not in spans, span
        times = {}
        for name in ("startTimeUnixNano", "endTimeUnixNano"):
            assert isinstance(span[name], str) and NUMBER.fullmatch(span[name]), span
            times[name] = int(span[name])
        assert times["startTimeUnixNano"] <= times["endTimeUnixNano"], span
        spans[span["spanId"]] = {**span, **times, "attributes": attributes(span)}
    assert len({span["traceId"] for span in spans.values()}) == 1
    roots = [span for span in spans.values() if "parentSpanId" not in span]
    assert len(roots) == 1, roots
    for span in spans.values():
        if "parentSpanId" not in span:
            continue
        parent = spans[span["parentSpanId"]]
        if parent is not roots[0]:  # whose end is that of the report
            assert parent["startTimeUnixNano"] <= span["startTimeUnixNano"] and span["endTimeUnixNano"] <= parent["endTimeUnixNano"], (parent, span)
    return resource, spans


def parse_with_proto(text):
    """The number of spans that opentelemetry-proto reads; None: it is not installed."""
    try:
        from google.protobuf import json_format
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError:
        return None
    request = json_format.Parse(text, ExportTraceServiceRequest())  # an unknown name is an error
    return sum(len(scope.spans) for resource in request.resource_spans for scope in resource.scope_spans)
