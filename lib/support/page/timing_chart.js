// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"use strict";

// Formats nanoseconds as "34.1 ms".
function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (ns >= size) return (ns / size).toPrecision(ns >= 100 * size ? 4 : 3).replace(/\.?0+e\+\d+$/, "") + " " + unit;
  return Math.round(ns) + " ns";
}

// Formats a share as "41.2 %". A share below 0.05 % is "< 0.1 %".
function percent(part, whole) {
  if (!(whole > 0)) return "";
  const value = 100 * part / whole;
  return value > 0 && value < .05 ? "< 0.1 %" : value.toFixed(1) + " %";
}

function counted(n, what, plural = what + "s") { return `${n.toLocaleString("en")} ${n === 1 ? what : plural}`; }

function make(tag, parent, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
  return element;
}

// A chart of boxes over a time axis, with a lane for each thread. A box: {start, end, depth, lane, label, kind, isJob, words, detail}.
// `words`: text for the search, in lower case. `detail(place)`: writes facts about the box into an element below the chart.
class Chart {
  static rowHeight = 21;
  static laneHeight = 20; // pixels for the name above a lane
  static minWidth = 40; // nanoseconds that the chart shows at maximum zoom

  constructor(root, { boxes, lanes, length, name }) {
    Object.assign(this, { boxes, length: Math.max(length, 1), lanes });
    root.className = "chart";
    const head = make("div", root, undefined, "head");
    const button = (text, label, act) => {
      const made = make("button", head, text, "tool");
      made.type = "button";
      made.setAttribute("aria-label", label);
      made.onclick = act;
      return made;
    };
    button("+", "Zoom in", () => this.zoom(.5));
    button("−", "Zoom out", () => this.zoom(2));
    this.resetButton = button("Reset", "Show all of the chart", () => this.reset());
    this.range = make("span", head, undefined, "range");
    this.plot = make("div", root, undefined, "plot");
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "group");
    this.plot.setAttribute("aria-label", name + ". Plus and minus zoom, arrows move, Escape shows all.");
    this.axis = make("div", this.plot, undefined, "axis");
    this.canvas = make("div", this.plot, undefined, "canvas");
    this.detail = make("div", root, undefined, "detail");
    make("p", this.detail, "Click or tap a box to zoom to it. Ctrl + wheel zooms, Shift + wheel or a drag moves, Escape shows all.", "note");
    this.place();
    this.query = "";
    this.listen();
    this.reset();
    new ResizeObserver(() => this.width !== this.canvas.clientWidth && this.draw()).observe(this.canvas);
  }

  // Computes the vertical position of each lane from the depths of its boxes.
  place() {
    const rows = this.lanes.map(() => 1);
    for (const box of this.boxes) rows[box.lane] = Math.max(rows[box.lane], box.depth + 1);
    let top = 0;
    this.tops = rows.map((count, lane) => {
      const named = this.lanes[lane] ? Chart.laneHeight : 0;
      const at = top + named;
      top = at + count * Chart.rowHeight + (named ? 4 : 0);
      return at;
    });
    this.canvas.style.height = top + "px";
  }

  listen() {
    const at = event => this.from + (this.to - this.from) * (event.clientX - this.canvas.getBoundingClientRect().left) / this.width;
    this.plot.addEventListener("wheel", event => {
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(event.deltaY / 300), at(event));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move((event.deltaX || event.deltaY) / this.width);
      else return;
      event.preventDefault();
    }, { passive: false });
    this.plot.addEventListener("keydown", event => {
      const act = { "+": () => this.zoom(.5), "=": () => this.zoom(.5), "-": () => this.zoom(2), Escape: () => this.reset(),
        ArrowLeft: () => this.move(-.2), ArrowRight: () => this.move(.2) }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      act();
      event.preventDefault();
    });
    const boxOf = event => event.target.classList.contains("box") ? event.target.box : undefined;
    this.canvas.addEventListener("pointerover", event => {
      if (!boxOf(event)) return;
      this.show(boxOf(event));
      event.target.classList.add("chosen");
    });
    this.canvas.addEventListener("pointerdown", event => this.drag = { x: event.clientX, moved: false });
    window.addEventListener("pointermove", event => {
      if (!this.drag || !event.buttons) return;
      const by = event.clientX - this.drag.x;
      if (!this.drag.moved && Math.abs(by) < 4) return;
      this.drag = { x: event.clientX, moved: true };
      this.move(-by / this.width);
    });
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, () => setTimeout(() => this.drag = undefined)); // after the click event, which reads `drag`
    this.canvas.addEventListener("click", event => {
      if (!this.drag?.moved && boxOf(event)) this.focus(boxOf(event));
    });
    this.canvas.addEventListener("dblclick", () => this.reset());
  }

  focus(box) {
    this.show(box);
    this.view(box.start, box.end);
  }
  reset() { this.view(0, this.length); }
  zoom(factor, centre = (this.from + this.to) / 2) {
    this.view(centre - (centre - this.from) * factor, centre + (this.to - centre) * factor);
  }
  move(part) {
    const by = Math.min(Math.max(part * (this.to - this.from), -this.from), this.length - this.to);
    this.view(this.from + by, this.to + by);
  }
  view(from, to) {
    if (to - from < Chart.minWidth) [from, to] = [(from + to - Chart.minWidth) / 2, (from + to + Chart.minWidth) / 2];
    this.from = Math.max(from, 0);
    this.to = Math.min(to, this.length);
    this.resetButton.disabled = this.from === 0 && this.to === this.length;
    this.range.textContent = this.resetButton.disabled ? duration(this.length) : `${duration(this.from)} to ${duration(this.to)}`;
    this.draw();
  }

  show(box) {
    this.chosen = box;
    this.canvas.querySelector(".chosen")?.classList.remove("chosen");
    this.detail.replaceChildren();
    box.detail(this.detail);
  }

  // Returns the boxes that match the query and are not nested in another match.
  search(query) {
    this.query = query;
    this.draw();
    const ends = new Map(); // from the number of a lane to the end of its last match
    return query === "" ? [] : this.boxes.filter(box => {
      if (!box.words.includes(query) || box.start < (ends.get(box.lane) ?? -1)) return false;
      ends.set(box.lane, box.end);
      return true;
    });
  }

  draw() {
    this.width = this.canvas.clientWidth;
    if (!this.width || this.to === undefined) return;
    const scale = this.width / (this.to - this.from);
    this.drawAxis(scale);
    const parts = document.createDocumentFragment(), drawn = new Map();
    this.lanes.forEach((name, lane) => {
      if (name) make("div", parts, name, "lane").style.top = this.tops[lane] - Chart.laneHeight + "px";
    });
    for (const box of this.boxes) {
      if (box.end < this.from || box.start > this.to) continue;
      const left = Math.max((box.start - this.from) * scale, -1), right = Math.min((box.end - this.from) * scale, this.width + 1);
      // A box narrower than a pixel is drawn only if no box (for a match: no other match) is drawn there yet.
      const isMatch = this.query !== "" && box.words.includes(this.query);
      const row = box.lane * 1e4 + 2 * box.depth + isMatch;
      if (right - left < 1 && left < (drawn.get(row) ?? -1)) continue;
      const width = Math.max(right - left, 1);
      drawn.set(row, left + width);
      this.drawBox(parts, box, left, width, isMatch);
    }
    this.canvas.replaceChildren(parts);
  }

  drawBox(parent, box, left, width, isMatch) {
    const element = make("div", parent, width > 24 ? box.label : "", "box " + (box.isJob ? "job" : box.kind));
    element.box = box;
    element.style.cssText = `left:${left.toFixed(2)}px;width:${width.toFixed(2)}px;top:${this.tops[box.lane] + box.depth * Chart.rowHeight}px`;
    element.classList.toggle("thin", width < 6);
    element.classList.toggle("chosen", box === this.chosen);
    if (this.query !== "") element.classList.add(isMatch ? "match" : "dim");
  }

  drawAxis(scale) {
    this.axis.replaceChildren();
    const about = 110 / scale, power = 10 ** Math.floor(Math.log10(about));
    const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= about);
    const [unit, size] = step >= 1e9 ? ["s", 1e9] : step >= 1e5 ? ["ms", 1e6] : step >= 100 ? ["µs", 1e3] : ["ns", 1];
    const digits = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
    for (let time = Math.ceil(this.from / step) * step; (time - this.from) * scale < this.width - 60; time += step)
      make("span", this.axis, `${(time / size).toFixed(digits)} ${unit}`).style.left = (time - this.from) * scale + "px";
  }
}
