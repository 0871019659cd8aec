"use strict";
// The legend drawn from its values in the colours of the theme; as the picture where a swatch is a picture itself. Where the look is
// at hand, a press on a class shows nothing else.
(() => {
  const { make, element, state, set, onChange } = quadrille;
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

  // MARK: Classes

  const inputOf = (value) => {
    if (!Array.isArray(value)) return null;
    if (value[0] === "get" && value.length === 2) return value[1];
    return ["number", "string", "to-number", "to-string", "coalesce"].includes(value[0]) ? inputOf(value[1]) : null;
  };
  /// The classes by a property in an expression: one of the number of a feature's class, and how many there are; null without any.
  const classesIn = (value, property, depth = 0) => {
    if (!Array.isArray(value) || depth > 16) return null;
    const [name, input] = value;
    const last = value.length - 1;
    if (name === "step" && inputOf(input) === property) {
      return { number: value.map((item, i) => (i < 2 || i % 2 === 1 ? item : i / 2 - 1)), count: last / 2 };
    }
    if (name === "match" && inputOf(input) === property) {
      return { number: value.map((item, i) => (i === last ? last / 2 - 1 : i < 3 || i % 2 === 0 ? item : (i - 3) / 2)), count: last / 2 };
    }
    for (const item of value) {
      const found = classesIn(item, property, depth + 1);
      if (found) return found;
    }
    return null;
  };

  /// The classes of an entry of the legend and the layers that show them, labels too; null where its rows are no classes.
  const classesOf = (layers, entry) => {
    const own = layers.filter((layer) => entry.layers.includes(layer.id));
    for (const layer of own) {
      for (const one of layer.properties) {
        const found = entry.property === null ? null : classesIn(one.value, entry.property);
        if (found?.count !== entry.rows.length) continue;
        const filters = own.map((other) => JSON.stringify(other.filter));
        const labels = layers.filter((other) => other.type === "symbol" && other.source === layer.source && filters.includes(JSON.stringify(other.filter)));
        return { number: found.number, layers: [...new Set([...own, ...labels].map((other) => other.id))] };
      }
    }
    return null;
  };

  const valuesOf = (legend) => (legend?.data ? quadrille.fetched(legend.data, (answer) => answer.json()) : Promise.resolve(null));

  /// The filters by layer for the classes of a tileset that are shown; none for all.
  quadrille.classFilters = async (one) => {
    const rows = (state.classes[one.id] ?? []).map((row) => row.split(".").map(Number));
    if (rows.length === 0) return {};
    const [values, layers] = await Promise.all([valuesOf(one.legend), quadrille.currentLayers(one)]);
    const filters = {};
    (values?.entries ?? []).forEach((entry, i) => {
      const chosen = rows.filter(([number]) => number === i).map(([, row]) => row);
      const classes = chosen.length > 0 && layers ? classesOf(layers, entry) : null;
      for (const layer of classes?.layers ?? []) {
        const test = ["any", ...chosen.map((row) => ["==", classes.number, row])];
        filters[layer] = filters[layer] ? ["all", filters[layer], test] : test;
      }
    });
    return filters;
  };

  const isShown = (one, key) => (state.classes[one.id] ?? []).includes(key);
  const toggle = (one, key) => {
    const rows = state.classes[one.id] ?? [];
    set({ classes: { ...state.classes, [one.id]: rows.includes(key) ? rows.filter((row) => row !== key) : [...rows, key] } });
  };
  onChange((changes) => {
    if (!("classes" in changes)) return;
    for (const button of document.querySelectorAll("[data-class]")) {
      button.setAttribute("aria-pressed", String((state.classes[button.dataset.tileset] ?? []).includes(button.dataset.class)));
    }
  });

  /// The content of a row: a button where it is a class that can be shown alone.
  const pressable = (one, key, parts) => {
    if (key === null) return parts;
    const button = make("button", { type: "button", title: "Show this class, and others that are pressed", "aria-pressed": String(isShown(one, key)), "data-class": key, "data-tileset": one.id }, ...parts);
    button.addEventListener("click", () => toggle(one, key));
    return [button];
  };

  // MARK: Rows

  const row = (value, width, press) => {
    const ramped = value.swatch.find((item) => item.type === "ramp");
    if (ramped) return make("li", { class: "wide" }, ramp(ramped), make("span", {}, value.label));
    const height = Math.max(18, ...value.swatch.map(extent));
    const picture = draw("svg", { width, height, "aria-hidden": "true" });
    for (const item of value.swatch) picture.append(shape(item, width, height));
    return make("li", {}, ...press([picture, make("span", {}, value.label)]));
  };

  const entry = (one, value, number, layers) => {
    const rows = value.rows.slice(0, limit);
    const width = Math.max(28, ...rows.flatMap((row) => row.swatch.map((item) => (item.type === "circle" ? extent(item) : 28))));
    const property = value.property === "point_count" ? "number of points" : value.property?.replaceAll("_", " ");
    const title = property ? `${value.title} by ${property}` : value.title;
    const parts = rows.length === 1 && rows[0].label === title ? [] : [make("p", { class: "legend-title" }, title)];
    const isClassed = layers !== null && classesOf(layers, value) !== null;
    return make("div", {}, ...parts, make("ul", { class: "legend-rows" }, ...rows.map((item, i) =>
      row(item, width, (parts) => pressable(one, isClassed ? `${number}.${i}` : null, parts)))));
  };

  const isDrawable = (legend) => Array.isArray(legend?.entries) && legend.entries.every((one) => Array.isArray(one.rows)
    && one.rows.every((row) => Array.isArray(row.swatch) && row.swatch.every((item) => kinds.includes(item.type))));

  const image = (legend) => {
    const made = make("img", { class: "legend", src: legend.image, alt: legend.text || "Legend" });
    made.addEventListener("load", () => { made.width = Math.round(made.naturalWidth / (legend.scale || 1)); });
    return made;
  };

  const fill = async (one, box) => {
    const legend = one.painted?.legend ?? one.legend;
    const [values, layers] = await Promise.all([valuesOf(legend), quadrille.currentLayers(one)]);
    const focused = document.activeElement?.dataset.class;
    const had = box.contains(document.activeElement);
    box.replaceChildren(...(isDrawable(values) ? values.entries.map((value, i) => entry(one, value, i, layers)) : [image(legend)]));
    if (had && focused) box.querySelector(`[data-class="${focused}"]`)?.focus();
  };

  /// The legend of a tileset, which comes when its values are read.
  quadrille.legendPart = (one) => {
    const box = make("div", { class: "legend-box", id: `legend-${one.id}` });
    fill(one, box);
    return make("details", { open: "" }, make("summary", {}, "Legend"), box);
  };
  quadrille.refreshLegend = (one) => {
    const box = element(`legend-${one.id}`);
    if (box) fill(one, box);
  };
})();
