"use strict";
// The legend drawn from its values in the colours of the theme; as the picture where a swatch is a picture itself.
(() => {
  const { make } = quadrille;
  const space = "http://www.w3.org/2000/svg";
  const draw = (name, attributes) => {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const limit = 400;
  const kinds = ["circle", "fill", "line", "ramp"];

  const length = (value, most) => Math.min(Math.max(Number(value) || 0, 0), most);

  const shape = (item, width, height) => {
    const [x, y] = [width / 2, height / 2];
    if (item.type === "circle") {
      return draw("circle", {
        cx: x, cy: y, r: length(item.radius, 40) + length(item.strokeWidth, 20) / 2, fill: item.color,
        stroke: item.strokeColor, "stroke-width": length(item.strokeWidth, 20),
      });
    }
    if (item.type === "line") {
      const dashes = (Array.isArray(item.dashes) ? item.dashes : []).map((dash) => length(dash, 20) * length(item.width, 12));
      return draw("line", {
        x1: 2, x2: width - 2, y1: y, y2: y, stroke: item.color, "stroke-width": length(item.width, 12), "stroke-dasharray": dashes.join(" "),
      });
    }
    return draw("rect", { x: 2, y: y - 8, width: width - 4, height: 16, rx: 2, fill: item.color });
  };

  const ramp = (item) => {
    const canvas = make("canvas", { width: 160, height: 16, class: "ramp" });
    const context = canvas.getContext("2d");
    const gradient = context.createLinearGradient(0, 0, 160, 0);
    item.colors.slice(0, 64).forEach((color, i, all) => gradient.addColorStop(all.length < 2 ? 0 : i / (all.length - 1), color));
    context.fillStyle = gradient;
    context.fillRect(0, 0, 160, 16);
    return canvas;
  };

  const extent = (item) => (item.type === "circle" ? 2 * (length(item.radius, 40) + length(item.strokeWidth, 20)) + 2 : 18);

  const row = (one, width) => {
    const ramped = one.swatch.find((item) => item.type === "ramp");
    if (ramped) return make("li", { class: "wide" }, ramp(ramped), make("span", {}, one.label));
    const height = Math.max(18, ...one.swatch.map(extent));
    const picture = draw("svg", { width, height, "aria-hidden": "true" });
    for (const item of one.swatch) picture.append(shape(item, width, height));
    return make("li", {}, picture, make("span", {}, one.label));
  };

  const entry = (one) => {
    const rows = one.rows.slice(0, limit);
    const width = Math.max(28, ...rows.flatMap((row) => row.swatch.map((item) => (item.type === "circle" ? extent(item) : 28))));
    const property = one.property === "point_count" ? "number of points" : one.property?.replaceAll("_", " ");
    const title = property ? `${one.title} by ${property}` : one.title;
    const parts = rows.length === 1 && rows[0].label === title ? [] : [make("p", { class: "legend-title" }, title)];
    return make("div", {}, ...parts, make("ul", { class: "legend-rows" }, ...rows.map((one) => row(one, width))));
  };

  const isDrawable = (legend) => Array.isArray(legend?.entries) && legend.entries.every((one) => Array.isArray(one.rows)
    && one.rows.every((row) => Array.isArray(row.swatch) && row.swatch.every((item) => kinds.includes(item.type))));

  const image = (legend) => {
    const made = make("img", { class: "legend", src: legend.image, alt: legend.text || "Legend" });
    made.addEventListener("load", () => { made.width = Math.round(made.naturalWidth / (legend.scale || 1)); });
    return made;
  };

  /// The legend of a tileset, which comes when its values are read.
  quadrille.legendPart = (legend) => {
    const box = make("div", { class: "legend-box" });
    const read = legend.data ? fetch(legend.data).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null) : Promise.resolve(null);
    read.then((values) => box.replaceChildren(...(isDrawable(values) ? values.entries.map(entry) : [image(legend)])));
    return make("details", { open: "" }, make("summary", {}, "Legend"), box);
  };
})();
