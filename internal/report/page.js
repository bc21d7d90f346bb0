"use strict";
// Reads figures point by point: by the pointer, or by the arrow keys once a figure
// has the focus. Without it the page lacks nothing else.
(function () {
  const space = "http://www.w3.org/2000/svg";

  function start(figure) {
    const data = figure.querySelector("script[type='application/json']");
    if (!data) return;
    const plots = JSON.parse(data.textContent);
    const box = figure.querySelector(".plot");
    const svg = box.querySelector("svg");
    const out = figure.querySelector(".read");
    const marker = document.createElementNS(space, "g");
    marker.setAttribute("class", "marker");
    svg.append(marker);
    // Where the reader is: a plot, and its row and column, or its curve and point.
    let at = null;

    function mark(name, attributes) {
      const e = document.createElementNS(space, name);
      for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
      marker.append(e);
    }

    function show(next) {
      at = next;
      marker.replaceChildren();
      const p = plots[at.plot];
      const title = p.title ? p.title + ": " : "";
      out.classList.remove("idle");
      out.textContent = title + (p.cells ? showCell(p, at, mark) : showPoint(p, at, mark));
    }

    function clear() {
      at = null;
      marker.replaceChildren();
      out.classList.add("idle");
      out.textContent = idle;
    }

    // reveal scrolls a figure that is wider than the screen to where its reader is.
    function reveal() {
      if (box.scrollWidth <= box.clientWidth || !marker.lastElementChild) return;
      const on = marker.lastElementChild.getBoundingClientRect(), frame = box.getBoundingClientRect();
      if (on.left < frame.left || on.right > frame.right) {
        box.scrollLeft += (on.left + on.right - frame.left - frame.right) / 2;
      }
    }

    const idle = "Point at the figure, or focus it and press the arrow keys, to read its values.";
    out.hidden = false;
    clear();
    box.tabIndex = 0;
    box.setAttribute("role", "application");
    box.setAttribute("aria-roledescription", "figure that can be read by the arrow keys");

    box.addEventListener("pointermove", pointed);
    box.addEventListener("pointerdown", pointed);
    function pointed(event) {
      const to = svg.getScreenCTM();
      if (!to) return;
      const where = new DOMPoint(event.clientX, event.clientY).matrixTransform(to.inverse());
      const found = find(plots, where.x, where.y);
      if (found && !(at && found.plot === at.plot && found.a === at.a && found.b === at.b)) show(found);
    }

    box.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") {
        clear();
        return;
      }
      const next = moved(plots, at, event.key, event.shiftKey ? 10 : 1);
      if (!next) return;
      event.preventDefault();
      show(next);
      reveal();
    });
  }

  // find is the cell or the point of a curve that stands at a place of the drawing.
  function find(plots, x, y) {
    const slack = 3;
    for (let plot = 0; plot < plots.length; plot++) {
      const p = plots[plot];
      const [left, top, right, bottom] = p.box;
      if (x < left - slack || x > right + slack || y < top - slack || y > bottom + slack) continue;
      if (p.cells) {
        const a = clamp(Math.floor((y - top) / (bottom - top) * p.cells.rows), p.cells.rows);
        const b = clamp(Math.floor((x - left) / (right - left) * p.cells.cols), p.cells.cols);
        return {plot, a, b};
      }
      let best = null, least = Infinity;
      p.series.forEach(function (s, a) {
        s.x.forEach(function (_, b) {
          if (s.y[b] === null) return;
          const q = placeOf(p, s, b);
          const far = Math.hypot((q.x - x) * 4, q.y - y); // across counts more: a curve is read along its x
          if (far < least) {
            least = far;
            best = {plot, a, b};
          }
        });
      });
      return best;
    }
    return null;
  }

  // moved is where a key leads to; null for a key that leads nowhere.
  function moved(plots, at, key, step) {
    if (key === "PageDown" || key === "PageUp") {
      if (plots.length < 2) return null;
      const by = key === "PageDown" ? 1 : plots.length - 1;
      return fit(plots, {plot: at ? (at.plot + by) % plots.length : 0, a: at ? at.a : 0, b: at ? at.b : 0});
    }
    const ways = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity]};
    const way = ways[key];
    if (!way) return null;
    if (!at) return fit(plots, {plot: 0, a: 0, b: 0});
    const curve = !plots[at.plot].cells;
    const to = {plot: at.plot, a: at.a + (way[0] ? way[0] * (curve ? 1 : step) : 0), b: at.b + (way[1] ? way[1] * step : 0)};
    return fit(plots, to);
  }

  // fit brings a place into its plot.
  function fit(plots, at) {
    const p = plots[at.plot];
    const a = clamp(at.a, p.cells ? p.cells.rows : p.series.length);
    const b = clamp(at.b, p.cells ? p.cells.cols : p.series[a].x.length);
    return {plot: at.plot, a, b};
  }

  function clamp(i, n) {
    return Math.max(0, Math.min(n - 1, i));
  }

  function showCell(p, at, mark) {
    const [left, top, right, bottom] = p.box;
    const w = (right - left) / p.cells.cols, h = (bottom - top) / p.cells.rows;
    const grow = Math.max(0, 3 - Math.min(w, h)) / 2; // a cell of a large map is hard to see
    const frame = {x: left + at.b * w - grow, y: top + at.a * h - grow, width: w + 2 * grow, height: h + 2 * grow};
    mark("rect", {class: "halo", ...frame});
    mark("rect", {class: "ring", ...frame});
    const value = p.cells.values[at.a * p.cells.cols + at.b];
    const row = rangeOf(p.y, at.a, p.cells.rows), col = rangeOf(p.x, at.b, p.cells.cols);
    const mean = row.many || col.many ? "mean " : "";
    return row.text + ", " + col.text + ": " + mean + p.value + " " + scaled(value, p.cells.decimals);
  }

  // rangeOf names the rows or columns that block i of n spans.
  function rangeOf(axis, i, n) {
    const from = Math.floor(i * axis.count / n), to = Math.floor((i + 1) * axis.count / n) - 1;
    if (axis.names) return {text: axis.names[from], many: to > from};
    const number = (k) => axis.first + k * axis.step;
    return {text: axis.name + " " + number(from) + (to > from ? " to " + number(to) : ""), many: to > from};
  }

  function scaled(value, decimals) {
    if (value === null) return "undefined";
    if (decimals < 0 || decimals > 12) return (value * Math.pow(10, -decimals)).toPrecision(4);
    return (value / Math.pow(10, decimals)).toFixed(decimals);
  }

  function showPoint(p, at, mark) {
    const s = p.series[at.a];
    const y = s.y[at.b];
    if (y !== null) {
      const q = placeOf(p, s, at.b);
      mark("path", {class: "line", d: "M" + q.x + " " + p.box[1] + "V" + p.box[3]});
      mark("circle", {class: "dot", cx: q.x, cy: q.y, r: 3});
    }
    let text = (s.name ? s.name + ", " : "") + p.x.name + " " + s.x[at.b] + ": " + p.y.name + " " + (y === null ? "undefined" : y);
    if (s.lo && s.lo[at.b] !== null) text += ", band " + s.lo[at.b] + " to " + s.hi[at.b];
    return text;
  }

  // placeOf is where point i of a curve stands on the drawing.
  function placeOf(p, s, i) {
    const [left, top, right, bottom] = p.box;
    return {
      x: left + (s.x[i] - p.x.min) / (p.x.max - p.x.min) * (right - left),
      y: bottom - (s.y[i] - p.y.min) / (p.y.max - p.y.min) * (bottom - top),
    };
  }

  document.querySelectorAll("figure").forEach(start);
})();
