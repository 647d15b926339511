// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and graphs.
#include "call.h"

#include <kiln/c_device.h>

using namespace kiln;
using namespace kiln::c;

extern "C" {

int kiln_stream_copy(kiln_stream *stream, void *to, const void *from, uint64_t bytes, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    return object->value.copy(to, from, bytes);
  });
}

int kiln_stream_fill(kiln_stream *stream, void *to, uint8_t value, uint64_t bytes, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    return object->value.fill(to, value, bytes);
  });
}

int kiln_stream_allocate(kiln_stream *stream, uint64_t bytes, kiln_buffer **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stream_allocate", out);
    KILN_PIN(StreamObject, object, stream);
    KILN_TRY(Buffer buffer, object->value.allocate(bytes));
    return give<BufferObject>(out, std::move(buffer));
  });
}

int kiln_stream_record(kiln_stream *stream, kiln_event *event, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    KILN_PIN(EventObject, moment, event);
    return object->value.record(moment->value);
  });
}

int kiln_stream_wait(kiln_stream *stream, const kiln_event *event, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    KILN_PIN(EventObject, moment, event);
    return object->value.wait(moment->value);
  });
}

int kiln_stream_synchronize(kiln_stream *stream, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    return object->value.synchronize();
  });
}

int kiln_stream_idle(const kiln_stream *stream) {
  Pinned<StreamObject> object(stream);
  return object && object->value.idle() ? 1 : 0;
}

int kiln_stream_capture_begin(kiln_stream *stream, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    return object->value.capture_begin();
  });
}

int kiln_stream_capture_end(kiln_stream *stream, kiln_graph **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stream_capture_end", out);
    KILN_PIN(StreamObject, object, stream);
    KILN_TRY(Graph graph, object->value.capture_end());
    return give<GraphObject>(out, std::move(graph));
  });
}

int kiln_stream_launch_graph(kiln_stream *stream, const kiln_graph *graph, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StreamObject, object, stream);
    KILN_PIN(GraphObject, work, graph);
    return object->value.launch(work->value);
  });
}

void *kiln_stream_native(const kiln_stream *stream) {
  Pinned<StreamObject> object(stream);
  return object ? object->value.native_handle() : nullptr;
}

void kiln_stream_free(kiln_stream *stream) { free_handle(HandleKind::Stream, stream); }

void kiln_graph_free(kiln_graph *graph) { free_handle(HandleKind::Graph, graph); }

int kiln_event_create(kiln_event **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_event_create", out);
    return give<EventObject>(out, Event());
  });
}

int kiln_event_done(const kiln_event *event) {
  Pinned<EventObject> object(event);
  return object && object->value.done() ? 1 : 0;
}

int kiln_event_wait(const kiln_event *event, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(EventObject, object, event);
    KILN_CHECK(object->value.check());
    object->value.wait();
    return {};
  });
}

int kiln_event_seconds(const kiln_event *from, const kiln_event *to, double *out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_event_seconds", out);
    KILN_PIN(EventObject, first, from);
    KILN_PIN(EventObject, last, to);
    KILN_TRY(std::chrono::nanoseconds time, Event::between(first->value, last->value));
    *out = double(time.count()) * 1e-9;
    return {};
  });
}

void kiln_event_free(kiln_event *event) { free_handle(HandleKind::Event, event); }

int kiln_stop_source_create(kiln_stop_source **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_stop_source_create", out);
    return give<StopSourceObject>(out, StopSource());
  });
}

// A signal handler may call this function, since a use of a stop source is only an atomic operation
// (is_noted).
int kiln_stop_source_request(const kiln_stop_source *source) {
  Pinned<StopSourceObject> object(source);
  return object && object->value.request_stop() ? 1 : 0;
}
int kiln_stop_source_requested(const kiln_stop_source *source) {
  Pinned<StopSourceObject> object(source);
  return object && object->value.stop_requested() ? 1 : 0;
}

int kiln_stop_source_reset(const kiln_stop_source *source, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_PIN(StopSourceObject, object, source);
    object->value.reset();
    return {};
  });
}

void kiln_stop_source_free(kiln_stop_source *source) { free_handle(HandleKind::StopSource, source); }
}
