// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A table that sorts after a click on a heading, and shows only the rows that contain the filter's text. A column:
// {name, value(row): sort key, text(row): shown text, fill(cell, row): writes the cell instead of text, isText, isCode, isWide}
class Table {
  static shownRows = 200;

  constructor(parent, { id, title, note, columns, rows, sortBy = 0 }) {
    const head = make("div", parent, undefined, "table-head");
    make("h2", head, title).id = id + "-title";
    this.count = make("span", head, undefined, "count");
    if (note) make("p", parent, note, "note");
    Object.assign(this, { columns, rows, sortBy, rises: columns[sortBy].isText === true, limit: Table.shownRows });
    if (!rows.length) {
      this.count.textContent = "none";
      return;
    }
    if (rows.length > 5) {
      this.filter = make("input", head);
      this.filter.type = "search";
      this.filter.placeholder = "Filter";
      this.filter.setAttribute("aria-label", `Filter of the table ${title}`);
      this.filter.oninput = () => this.fill();
    }
    const scroll = make("div", parent, undefined, "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-labelledby", id + "-title");
    const table = make("table", scroll);
    table.id = id;
    const headings = make("tr", make("thead", table));
    this.headings = columns.map((column, i) => {
      const heading = make("th", headings, undefined, column.isText ? "text" : "");
      heading.scope = "col";
      const button = make("button", heading, column.name);
      button.type = "button";
      button.onclick = () => this.sort(i);
      return heading;
    });
    this.body = make("tbody", table);
    this.more = make("button", make("p", parent, undefined, "more"), "", "tool");
    this.more.type = "button";
    this.more.onclick = () => {
      this.limit = Infinity;
      this.fill();
    };
    this.fill();
  }

  sort(column) {
    this.rises = column === this.sortBy ? !this.rises : this.columns[column].isText === true;
    this.sortBy = column;
    this.fill();
  }

  static shown(column, row) { return String((column.text ?? column.value)(row) ?? ""); }

  fill() {
    const words = this.filter ? this.filter.value.trim().toLowerCase() : "";
    const rows = words === "" ? [...this.rows] : this.rows.filter(row => this.columns.some(column => Table.shown(column, row).toLowerCase().includes(words)));
    const { value, isText } = this.columns[this.sortBy];
    rows.sort((a, b) => {
      const order = isText ? String(value(a)).localeCompare(String(value(b))) : (Number(value(a)) || 0) - (Number(value(b)) || 0);
      return this.rises ? order : -order;
    });
    const lines = rows.slice(0, this.limit).map(row => {
      const line = document.createElement("tr");
      for (const column of this.columns) {
        const cell = make("td", line, undefined, (column.isText ? "text" : "") + (column.isCode ? " code" : "") + (column.isWide ? " wide" : ""));
        if (column.fill) column.fill(cell, row);
        else cell.textContent = Table.shown(column, row);
      }
      return line;
    });
    this.body.replaceChildren(...lines);
    this.headings.forEach((heading, i) => {
      if (i === this.sortBy) heading.setAttribute("aria-sort", this.rises ? "ascending" : "descending");
      else heading.removeAttribute("aria-sort");
    });
    this.count.textContent = rows.length === this.rows.length ? `${rows.length}` : `${rows.length} of ${this.rows.length}`;
    this.more.hidden = rows.length <= this.limit;
    this.more.textContent = `Show all ${rows.length} rows`;
  }
}
