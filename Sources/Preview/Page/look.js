"use strict";
// The look of a pipeline's layers: colours, sizes, classes and fonts. What is changed by hand is on the map at once, and kept in the
// pipeline's file when that is asked for.
(() => {
  const { make, element, state, set, onChange } = quadrille;

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

  /// The properties that a layer may set and does not, with the values that it has then.
  const absent = {
    circle: [["paint", "circle-color", "#000000"], ["paint", "circle-radius", 5]], fill: [["paint", "fill-color", "#000000"]],
    line: [["paint", "line-color", "#000000"], ["paint", "line-width", 1]],
    symbol: [["layout", "text-size", 16], ["layout", "text-font", [""]], ["paint", "text-color", "#000000"]],
  };
  const fonts = make("datalist", { id: "fonts" }, ...["DejaVu Sans", "Noto Sans", "Noto Serif", "Open Sans"].flatMap((family) =>
    ["", " Bold", " Italic"].map((style) => make("option", { value: family + style }))));
  document.body.append(fonts);

  const changesOf = (id) => state.look[id] ?? [];
  const isSame = (one, other) => isEqual([one.layer, one.block, one.property, one.path], [other.layer, other.block, other.property, other.path]);
  const steps = new Map(); // id: what was changed before each step, the last one at the end

  /// Changes one value; back at the file's it is no change.
  const change = (id, wanted, first) => {
    const others = changesOf(id).filter((one) => !isSame(one, wanted));
    set({ look: { ...state.look, [id]: isEqual(wanted.value, first) ? others : [...others, wanted] } });
  };

  /// The layers of a look with what was changed.
  const current = (id, look) => look.layers.map((layer) => {
    const names = layer.properties.map((one) => one.name);
    const canHave = layer.type !== "symbol" || names.includes("text-field");
    const more = canHave ? (absent[layer.type] ?? []).filter(([, name]) => !names.includes(name)) : [];
    const properties = [...layer.properties, ...more.map(([group, name, value]) => ({ group, name, value, isNew: true }))];
    return {
      ...layer, properties: properties.map((one) => {
        const wanted = changesOf(id).filter((other) => isSame({ ...other, path: [] }, { layer: layer.id, block: one.group, property: one.name, path: [] }));
        const value = wanted.reduce((value, { path, value: to }) => {
          try { return changed(value, path, to); } catch { return value; }
        }, one.value);
        return { ...one, first: one.value, value };
      }),
    };
  });

  const control = (id, layer, one, path, name) => {
    const value = get(one.value, path);
    const shade = one.name.endsWith("-color") && typeof value === "string" ? colour(value) : null;
    const kind = shade ? { type: "color", value: shade.hex } : typeof value === "number" ? { type: "number", step: "any", value } : { type: "text", list: "fonts", value, maxlength: 80 };
    const made = make("input", { ...kind, "aria-label": name });
    let isOpen = false; // whether the last step goes on
    made.addEventListener("input", () => {
      const to = shade ? withOpacity(made.value, shade.opacity) : kind.type === "number" ? Number.parseFloat(made.value) : made.value.trim();
      if ((typeof to === "number" && !Number.isFinite(to)) || to === "") return;
      if (!isOpen) steps.set(id, [...(steps.get(id) ?? []), changesOf(id)]);
      isOpen = true;
      const isWhole = one.isNew;
      change(id, { layer: layer.id, block: one.group, property: one.name, path: isWhole ? [] : path, value: isWhole ? changed(one.first, path, to) : to }, isWhole ? one.first : get(one.first, path));
    });
    made.addEventListener("change", () => { isOpen = false; });
    return made;
  };

  const rows = (id, layer, one) => {
    const isFont = one.name === "text-font";
    const found = isFont && Array.isArray(one.value) && one.value.every((item) => typeof item === "string" && item !== "get")
      ? one.value.map((_, i) => ({ words: i === 0 ? [] : ["otherwise"], stop: null, path: [i] })) : parts(one.value, one.name.endsWith("-color"));
    const name = (part, what) => [layer.id, one.name, ...part.words, what].filter((word) => word !== "").join(" ");
    const lines = found.map((part) => make(
      "div", { class: "look-row" }, make("span", {}, part.words.join(" ")),
      ...(part.stop ? [control(id, layer, one, part.stop, name(part, "limit"))] : []), control(id, layer, one, part.path, name(part, ""))));
    if (lines.length === 0) return one.group === "paint" ? [make("p", { class: "look-name" }, `${one.name}: an expression, at ${one.place}`)] : [];
    if (found.length === 1 && found[0].words.length === 0) {
      lines[0].firstChild.textContent = one.name;
      return lines;
    }
    return [make("p", { class: "look-name" }, one.name), ...lines];
  };

  const post = (id, name, body) => fetch(`tilesets/${id}/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json", "X-Quadrille-Token": quadrille.catalogue.token ?? "" }, body: JSON.stringify(body),
  });
  const say = (words) => { element("tap-result").textContent = words; };
  const tileset = (id) => quadrille.catalogue?.tilesets.find((one) => one.id === id);

  // MARK: The map

  const looks = new Map(); // id: a promise of the layers as the file has them
  quadrille.lookOf = (one) => {
    if (!one.look) return Promise.resolve(null);
    if (!looks.has(one.id)) looks.set(one.id, fetch(one.look).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null));
    return looks.get(one.id);
  };

  /// The layers of a tileset as they are on the map now; null where its pipeline is not at hand.
  quadrille.currentLayers = async (one) => {
    const look = quadrille.catalogue.token ? await quadrille.lookOf(one) : null;
    return look && current(one.id, look);
  };

  const turns = new Map(); // id: the number of the last look that was asked for
  const kept = new Set(); // tilesets whose file has another look than their tiles
  const told = new Map(); // id: what the server said of the last look

  /// Has the map show a tileset as it was changed.
  const repaint = async (id) => {
    const one = tileset(id);
    const turn = (turns.get(id) ?? 0) + 1;
    turns.set(id, turn);
    if (!one?.look || !quadrille.catalogue.token) return;
    const changes = changesOf(id);
    const filters = await quadrille.classFilters(one);
    if (turns.get(id) !== turn) return;
    const idle = { entry: undefined, failure: null, difference: "", refusal: null };
    let answer = idle;
    if (changes.length > 0 || Object.keys(filters).length > 0 || kept.has(id)) {
      try {
        const sent = await post(id, "look.json", { changes, filters });
        answer = sent.ok ? await sent.json() : { ...idle, failure: (await sent.text()).trim() };
      } catch {
        answer = { ...idle, failure: "The preview's program has ended." };
      }
      // What cannot be painted leaves the map as it is.
      answer.entry ??= one.painted;
    }
    if (turns.get(id) !== turn) return;
    const isOther = JSON.stringify(answer.entry?.densities) !== JSON.stringify(one.painted?.densities);
    one.painted = answer.entry;
    told.set(id, answer);
    if (isOther) {
      quadrille.forgetTaps();
      quadrille.showLayers();
      quadrille.refreshLegend(one);
      quadrille.refreshTables();
    }
    made.get(id)?.tell?.();
  };
  const waiting = new Map(); // id: the timer of its next look
  let busy = 0;
  const soon = (id) => {
    if (waiting.has(id)) clearTimeout(waiting.get(id));
    else busy++;
    waiting.set(id, setTimeout(() => { waiting.delete(id); repaint(id).finally(() => { busy--; }); }, 120));
  };
  /// Waits until the map has every look that was asked for.
  quadrille.looksReady = async () => {
    while (busy > 0) await new Promise((resolve) => { setTimeout(resolve, 30); });
    await quadrille.idle();
  };

  onChange((changes) => {
    if (!quadrille.catalogue || !("look" in changes || "classes" in changes)) return;
    for (const one of quadrille.catalogue.tilesets) {
      if (one.look && !isEqual(asked.get(one.id) ?? [[], []], wish(one.id))) {
        asked.set(one.id, wish(one.id));
        soon(one.id);
        made.get(one.id)?.tell?.();
      }
    }
  });
  const asked = new Map(); // id: the look that was asked for last
  const wish = (id) => [changesOf(id), state.classes[id] ?? []];

  /// Shows what a link or an earlier catalogue had changed.
  quadrille.repaintAll = () => {
    for (const one of quadrille.catalogue.tilesets) {
      asked.set(one.id, wish(one.id));
      if (!isEqual(wish(one.id), [[], []]) || kept.has(one.id)) soon(one.id);
    }
  };

  // MARK: The panel

  /// The choice among the looks that the clusters of a draft can have; nothing for other pipelines.
  const draftPart = (one, look) => {
    if (!look.draft) return [];
    const choice = make("select", { "aria-label": `${one.title} clusters` }, make("option", { value: "" }, "dots and bubbles"),
      ...look.draft.looks.map((name) => make("option", { value: name }, name)));
    choice.value = look.draft.chosen ?? "";
    choice.addEventListener("change", async () => {
      choice.disabled = true;
      const answer = await post(one.id, "draft.json", { look: choice.value || null }).catch(() => null);
      if (!answer?.ok) say(answer ? (await answer.text()).trim() : "The preview's program has ended.");
      // The layers are others now.
      steps.delete(one.id);
      set({ look: { ...state.look, [one.id]: [] } });
      await quadrille.reload();
      const { details } = made.get(one.id) ?? {};
      if (!details) return;
      details.addEventListener("drawn", () => details.querySelector("select")?.focus(), { once: true });
      details.open = true;
    });
    return [make("div", { class: "look-row" }, make("span", {}, "Clusters"), choice)];
  };

  const content = (one, look) => {
    const { id } = one;
    const shown = make("pre", { tabindex: "0", "aria-label": "What changes in the file" });
    const lead = make("p", {});
    const note = make("p", { role: "status" });
    const changedPart = make("div", { hidden: "" });
    const box = make("div", {});
    const button = (words, act) => {
      const made = make("button", { type: "button" }, words);
      made.addEventListener("click", async () => { await act(); made.focus(); });
      return made;
    };
    const tell = () => {
      const { difference = "", refusal = null, failure = null } = told.get(id) ?? {};
      const why = failure ?? refusal;
      const changes = changesOf(id);
      changedPart.hidden = changes.length === 0;
      const canKeep = look.version !== null && refusal === null;
      const isDrafted = Boolean(look.draft?.chosen) && changes.length === 0;
      if (isDrafted) changedPart.hidden = false;
      keep.disabled = !canKeep || (difference === "" && !isDrafted);
      back.disabled = (steps.get(id) ?? []).length === 0;
      lead.textContent = `${why ? `${why} ` : ""}${isDrafted ? `${look.file} is drafted with ${look.draft.chosen}.`
        : canKeep ? `This changes in ${look.file}:` : "This is the YAML to keep:"}`;
      shown.hidden = isDrafted;
      shown.textContent = canKeep && difference ? difference : text(current(id, look));
    };
    const draw = () => {
      box.replaceChildren(...current(id, look).flatMap((layer) => {
        const made = layer.properties.flatMap((property) => rows(id, layer, property));
        return made.length === 0 ? [] : [make("fieldset", {}, make("legend", {}, `${layer.id} · ${layer.type}`), ...made)];
      }));
      tell();
    };
    const back = button("Undo", () => {
      const before = (steps.get(id) ?? []).at(-1);
      if (!before) return;
      steps.set(id, steps.get(id).slice(0, -1));
      set({ look: { ...state.look, [id]: before } });
      draw();
    });
    const keep = button("Keep", async () => {
      const answer = await post(id, "keep.json", { version: look.version, changes: changesOf(id) }).catch(() => null);
      const isKept = answer?.ok === true;
      note.textContent = isKept ? `Kept in ${look.file}.${one.painted && one.report && !look.isWatched ? " The archive has this look once it is built again." : ""}`
        : answer ? (await answer.text()).trim() : "The preview's program has ended.";
      looks.delete(id);
      look = (await quadrille.lookOf(one)) ?? look;
      if (isKept) {
        kept.add(id);
        steps.delete(id);
        set({ look: { ...state.look, [id]: [] } });
      }
      draw();
      soon(id);
    });
    changedPart.append(lead, shown, make("div", { class: "snippets" }, keep, back, button("Undo all", () => {
      steps.set(id, [...(steps.get(id) ?? []), changesOf(id)]);
      set({ look: { ...state.look, [id]: [] } });
      draw();
      box.querySelector("input")?.focus();
    }), button("Copy", async () => {
      say(await quadrille.copy(shown.textContent) ? "The text is copied." : "The clipboard cannot be written; copy the text above.");
    })));
    draw();
    return { parts: [...draftPart(one, look), box, changedPart, note], tell };
  };

  const made = new Map(); // id: {details, tell}: the part, which stays when the panel is drawn again
  quadrille.forgetLooks = () => { made.clear(); looks.clear(); told.clear(); kept.clear(); };

  /// The part of a tileset whose pipeline is at hand.
  quadrille.lookPart = (one) => {
    if (made.has(one.id)) return made.get(one.id).details;
    const details = make("details", { class: "look" }, make("summary", {}, "Look"));
    const entry = { details };
    details.addEventListener("toggle", async () => {
      if (!details.open || details.dataset.loaded) return;
      details.dataset.loaded = "1";
      const look = await quadrille.lookOf(one);
      if (!look) return details.append(make("p", {}, "The pipeline cannot be read."));
      const { parts, tell } = content(one, look);
      entry.tell = tell;
      details.append(...parts);
      details.dispatchEvent(new Event("drawn"));
    });
    made.set(one.id, entry);
    return details;
  };
})();
