// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two changes to the search of Material for MkDocs.

// Options such as --threads are words of the index and of queries. lunr takes a leading hyphen for "not", so
// both have another hyphen, which looks the same.
const with_options = (text) => text.replace(/--(?=\w)/g, "\u2011\u2011");
const prepared = (message) => {
  if (message.type === 2) return { ...message, data: with_options(message.data) };
  if (message.type !== 0) return message;
  const docs = message.data.docs.map((each) => ({ ...each, text: with_options(each.text) }));
  return { ...message, data: { ...message.data, docs } };
};

if (location.protocol !== "file:") {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    post.call(this, prepared(message), ...rest);
  };
} else {
  // Browsers start no Worker from file://. A hidden frame runs its script instead, with the messages and
  // importScripts of a Worker.
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.document.open();
      inside.document.write("<!doctype html><body></body>");
      inside.document.close();
      const load = (script) =>
        new Promise((loaded, failed) => {
          const element = inside.document.createElement("script");
          element.src = script;
          element.onload = loaded;
          element.onerror = () => failed(new Error(`cannot load ${script}`));
          inside.document.body.append(element);
        });
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => load(script)), Promise.resolve());
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.inside = inside;
      this.ready = load(url);
    }
    postMessage(message) {
      const data = prepared(message);
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
