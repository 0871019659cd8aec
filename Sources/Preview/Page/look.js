"use strict";
// The look of a pipeline's layers: colours, sizes and classes. What is changed by hand is shown as the YAML to keep.
(() => {
  const { make, element } = quadrille;

  const plain = /^[A-Za-z][A-Za-z0-9_-]*( [A-Za-z0-9_-]+)*$/;
  const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i;
  /// A value as YAML in one line.
  const yaml = (value) => {
    if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
    if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([key, item]) => `${yaml(key)}: ${yaml(item)}`).join(", ")}}`;
    return typeof value === "string" && plain.test(value) && !reserved.test(value) ? value : JSON.stringify(value);
  };

  const painter = make("canvas").getContext("2d");
  /// A colour as the six digits that a control takes and its opacity; null for what is no colour.
  const colour = (text) => {
    if (typeof text !== "string" || !CSS.supports("color", text)) return null;
    painter.fillStyle = text;
    const told = painter.fillStyle;
    if (told.startsWith("#")) return { hex: told, opacity: 1 };
    const [red, green, blue, opacity] = told.match(/[\d.]+/g).map(Number);
    return { hex: `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`, opacity };
  };
  const withOpacity = (hex, opacity) => {
    if (opacity === 1) return hex;
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
  };

  const brief = (value) => { const text = yaml(value); return text.length > 28 ? `${text.slice(0, 27)}…` : text; };
  const input = (value) => (Array.isArray(value) && value[0] === "get" ? `by ${value[1]}` : Array.isArray(value) && value[0] === "zoom" ? "by zoom" : "");

  /// What can be changed in a value: {words, stop: path or null, path: path or null}, in the order of the value.
  const parts = (value, isColour, path = [], words = []) => {
    const inner = (at, ...more) => parts(at.reduce((one, key) => one[key], value), isColour, [...path, ...at], [...words, ...more].filter((word) => word !== ""));
    const stop = (at, label, out) => inner(out, label).map((part, i) => (i === 0 && part.path.length === path.length + out.length ? { ...part, words: [...words, label], stop: [...path, ...at] } : part));
    const pairs = (first, label) => {
      const all = [];
      for (let i = first; i + 1 < value.length; i += 2) all.push(...label(i));
      return all;
    };
    if (typeof value === "number") return isColour ? [] : [{ words, stop: null, path }];
    if (typeof value === "string") return isColour && colour(value) ? [{ words, stop: null, path }] : [];
    if (Array.isArray(value?.stops)) return value.stops.flatMap((pair, i) => (Array.isArray(pair) ? stop(["stops", i, 0], `${value.property ? `by ${value.property}, ` : ""}at`, ["stops", i, 1]) : []));
    if (!Array.isArray(value)) return [];
    if (value.length > 0 && value.every((item) => typeof item === "number")) return value.flatMap((_, i) => inner([i], `${i + 1}.`));
    const [name] = value;
    if (name === "step") return [...inner([2], `${input(value[1])} below`), ...pairs(3, (i) => stop([i], "from", [i + 1]))];
    if (typeof name === "string" && name.startsWith("interpolate")) return pairs(3, (i) => stop([i], i === 3 ? `${input(value[2])} at`.trim() : "at", [i + 1]));
    if (name === "match") return [...pairs(2, (i) => inner([i + 1], brief(value[i]))), ...inner([value.length - 1], "otherwise")];
    if (name === "case") return [...pairs(1, (i) => inner([i + 1], `if ${brief(value[i])}`)), ...inner([value.length - 1], "otherwise")];
    if (name === "coalesce") return value.slice(1).flatMap((_, i) => inner([i + 1], i === 0 ? "" : "otherwise"));
    if (name === "literal") return inner([1]);
    return [];
  };

  const get = (value, path) => path.reduce((one, key) => one[key], value);
  const changed = (value, path, to) => {
    if (path.length === 0) return to;
    const copy = structuredClone(value);
    get(copy, path.slice(0, -1))[path.at(-1)] = to;
    return copy;
  };
  const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  const group = (name, entries) => (entries.length === 0 ? [] : [`    ${name}:`, ...entries.map(([key, value]) => `      ${key}: ${yaml(value)}`)]);
  /// The YAML of the layers that were changed: of those in the file what was changed, of default ones all, since they stand nowhere.
  const text = (layers) => {
    const touched = layers.filter((layer) => layer.properties.some((one) => !isEqual(one.value, one.first)));
    const sources = new Set(touched.filter((layer) => layer.isDefault).map((layer) => layer.source));
    const kept = layers.filter((layer) => touched.includes(layer) || (layer.isDefault && sources.has(layer.source)));
    if (kept.length === 0) return "";
    return ["layers:", ...kept.flatMap((layer) => {
      const wanted = layer.properties.filter((one) => layer.isDefault || !isEqual(one.value, one.first)).map((one) => [one, one.group]);
      const of = (name) => wanted.filter(([, other]) => other === name).map(([one]) => [one.name, one.value]);
      const rest = layer.isDefault ? ["type", "source", "filter", "minzoom", "maxzoom"].filter((key) => layer[key] !== undefined).map((key) => `    ${key}: ${yaml(layer[key])}`) : [];
      return [`  - id: ${yaml(layer.id)}`, ...rest, ...group("layout", of("layout")), ...group("paint", of("paint"))];
    }), ""].join("\n");
  };

  const control = (one, path, name, tell) => {
    const value = get(one.value, path);
    const shade = typeof value === "string" ? colour(value) : null;
    const made = make("input", shade ? { type: "color", value: shade.hex, "aria-label": name } : { type: "number", step: "any", value, "aria-label": name });
    made.addEventListener("input", () => {
      const to = shade ? withOpacity(made.value, shade.opacity) : Number.parseFloat(made.value);
      if (typeof to === "number" && !Number.isFinite(to)) return;
      one.value = changed(one.value, path, to);
      tell();
    });
    return made;
  };

  const rows = (layer, one, tell) => {
    const found = parts(one.value, one.name.endsWith("-color"));
    const name = (part, what) => [layer.id, one.name, ...part.words, what].filter((word) => word !== "").join(" ");
    const lines = found.map((part) => make(
      "div", { class: "look-row" }, make("span", {}, part.words.join(" ")),
      ...(part.stop ? [control(one, part.stop, name(part, "limit"), tell)] : []), control(one, part.path, name(part, ""), tell)));
    if (lines.length === 0) return one.group === "paint" ? [make("p", { class: "look-name" }, `${one.name}: an expression, at ${one.place}`)] : [];
    if (found.length === 1 && found[0].words.length === 0) {
      lines[0].firstChild.textContent = one.name;
      return lines;
    }
    return [make("p", { class: "look-name" }, one.name), ...lines];
  };

  const content = (look) => {
    const layers = look.layers.map((layer) => ({ ...layer, properties: layer.properties.map((one) => ({ ...one, first: one.value })) }));
    const shown = make("pre", { tabindex: "0", "aria-label": "The YAML to keep" });
    const kept = make("div", { hidden: "" });
    const box = make("div", {});
    const tell = () => {
      shown.textContent = text(layers);
      kept.hidden = shown.textContent === "";
    };
    const draw = () => {
      box.replaceChildren(...layers.flatMap((layer) => {
        const made = layer.properties.flatMap((one) => rows(layer, one, tell));
        return made.length === 0 ? [] : [make("fieldset", {}, make("legend", {}, `${layer.id} · ${layer.type}`), ...made)];
      }));
      tell();
    };
    const copy = make("button", { type: "button" }, "Copy");
    copy.addEventListener("click", async () => {
      const isDone = await quadrille.copy(shown.textContent);
      copy.focus();
      element("tap-result").textContent = isDone ? "The YAML is copied." : "The clipboard cannot be written; copy the text above.";
    });
    const undo = make("button", { type: "button" }, "Undo all");
    undo.addEventListener("click", () => {
      for (const layer of layers) for (const one of layer.properties) one.value = one.first;
      draw();
      box.querySelector("input")?.focus();
    });
    const after = look.isWatched ? "When it is saved, the map here is painted again." : "The tiles show it once they are built again.";
    kept.append(make("p", {}, `Keep in ${look.file}, in the layers of the same id. ${after}`), shown, make("div", { class: "snippets" }, copy, undo));
    draw();
    return [box, kept];
  };

  const made = new Map(); // id: the part, which keeps what was changed when the panel is drawn again
  quadrille.forgetLooks = () => made.clear();

  /// The part of a tileset whose pipeline is at hand.
  quadrille.lookPart = (one) => {
    if (made.has(one.id)) return made.get(one.id);
    const details = make("details", { class: "look" }, make("summary", {}, "Look"));
    details.addEventListener("toggle", async () => {
      if (!details.open || details.dataset.loaded) return;
      details.dataset.loaded = "1";
      const look = await fetch(one.look).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      details.append(...(look ? content(look) : [make("p", {}, "The pipeline cannot be read.")]));
    });
    made.set(one.id, details);
    return details;
  };
})();
