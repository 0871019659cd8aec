"use strict";
// What the view shows, kept in the address after the #, so that a link or a reload leads back to it.
//
// window.quadrille is the page's face for tests and for the console:
//   ready        a promise: the catalogue is read and the first view is set
//   catalogue    what the server or the export offers (catalogue.json)
//   map          the Leaflet map
//   state        what is shown; change it with set({...})
//   set(changes) changes the state, the map and the controls
//   idle()       a promise: every tile of the view has come or failed
//   tap(lat, lng)  a promise of the answers, as a click there gives them
//   search(words)  a promise of the places whose taps have the words, as the field gives them
//   looksReady() a promise: the map has the look that was asked for
//   link()       the address of the view
//   near(lat, lng)  where a position is, by the nearest named place
//   seek(index), play(), pause()  the series; slots: the instants of the slider
window.quadrille = (() => {
  const listeners = [];
  const state = {
    view: null, // {zoom, lat, lng}
    shown: null, // ids, the topmost first; null: all
    opacity: {}, // id: percent
    right: null, // ids right of the swipe; null: the second shown
    swipe: null, // percent of the width, null: off
    density: "auto", borders: false, graticule: false, land: true, theme: "auto",
    time: null, // an instant, ISO 8601
    speed: 1, loop: null, // null: as the series says
    look: {}, // id: the changes of its look: {layer, block, property, path, value}
    classes: {}, // id: the rows of its legend that are shown, as "entry.row"; none: all
  };

  const number = (text, low, high) => {
    const value = Number.parseFloat(text);
    return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : null;
  };
  const list = (text) => text.split(",").filter((item) => item !== "");
  const isStep = (step) => step === "stops" || Number.isInteger(step);
  const isPlain = (value) => ["string", "number"].includes(typeof value) || (Array.isArray(value) && value.every((item) => typeof item === "string"));
  /// The changes of looks in a link: {id: [[layer, block, property, path, value]]}; what is malformed is left out.
  const looks = (text) => {
    try {
      const isChange = (one) => Array.isArray(one) && Array.isArray(one[3]) && one[3].every(isStep) && isPlain(one[4]);
      return Object.fromEntries(Object.entries(JSON.parse(text)).map(([id, changes]) => [id, changes.filter(isChange)
        .map(([layer, block, property, path, value]) => ({ layer: String(layer), block: String(block), property: String(property), path, value }))]));
    } catch {
      return {};
    }
  };
  const oneOf = (text, words, other) => (words.includes(text) ? text : other);

  /// Reads what stands after the #; what makes no sense is left out.
  const parse = (hash) => {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    const parsed = {};
    const [zoom, lat, lng] = (given.get("map") || "").split("/");
    const view = { zoom: number(zoom, 0, 24), lat: number(lat, -85.06, 85.06), lng: number(lng, -540, 540) };
    if (view.zoom !== null && view.lat !== null && view.lng !== null) parsed.view = view;
    if (given.has("on")) parsed.shown = list(given.get("on"));
    if (given.has("right")) parsed.right = list(given.get("right"));
    if (given.has("opacity")) {
      parsed.opacity = {};
      for (const item of list(given.get("opacity"))) {
        const [id, percent] = item.split(":");
        const value = number(percent, 0, 100);
        if (value !== null) parsed.opacity[id] = value;
      }
    }
    if (given.has("swipe")) parsed.swipe = number(given.get("swipe"), 0, 100);
    if (given.has("density")) parsed.density = oneOf(given.get("density"), ["1", "2", "3"], "auto");
    if (given.has("borders")) parsed.borders = given.get("borders") === "1";
    if (given.has("graticule")) parsed.graticule = given.get("graticule") === "1";
    if (given.has("land")) parsed.land = given.get("land") !== "0";
    if (given.has("theme")) parsed.theme = oneOf(given.get("theme"), ["light", "dark"], "auto");
    if (given.has("time")) parsed.time = given.get("time");
    if (given.has("speed")) parsed.speed = number(given.get("speed"), 0.25, 4) || 1;
    if (given.has("loop")) parsed.loop = given.get("loop") === "1";
    if (given.has("look")) parsed.look = looks(given.get("look"));
    if (given.has("classes")) {
      parsed.classes = Object.create(null);
      for (const [id, row] of list(given.get("classes")).map((item) => item.split(":"))) {
        if (/^\d+\.\d+$/.test(row ?? "")) (parsed.classes[id] ??= []).push(row);
      }
    }
    return parsed;
  };

  /// The text of the state; what is as it begins is left out.
  const format = () => {
    const parts = [];
    const { view } = state;
    if (view) parts.push(`map=${+view.zoom.toFixed(2)}/${view.lat.toFixed(5)}/${view.lng.toFixed(5)}`);
    const ids = (value) => value.map(encodeURIComponent).join(",");
    if (state.shown !== null) parts.push(`on=${ids(state.shown)}`);
    if (state.right !== null) parts.push(`right=${ids(state.right)}`);
    const faded = Object.entries(state.opacity).filter(([, percent]) => percent !== 100);
    if (faded.length > 0) parts.push(`opacity=${faded.map(([id, percent]) => `${encodeURIComponent(id)}:${percent}`).join(",")}`);
    if (state.swipe !== null) parts.push(`swipe=${+state.swipe.toFixed(1)}`);
    if (state.density !== "auto") parts.push(`density=${state.density}`);
    if (state.borders) parts.push("borders=1");
    if (state.graticule) parts.push("graticule=1");
    if (!state.land) parts.push("land=0");
    if (state.theme !== "auto") parts.push(`theme=${state.theme}`);
    if (state.time !== null) parts.push(`time=${state.time}`);
    if (state.speed !== 1) parts.push(`speed=${state.speed}`);
    if (state.loop !== null) parts.push(`loop=${state.loop ? 1 : 0}`);
    const changed = Object.entries(state.look).filter(([, changes]) => changes.length > 0)
      .map(([id, changes]) => [id, changes.map((one) => [one.layer, one.block, one.property, one.path, one.value])]);
    if (changed.length > 0) parts.push(`look=${encodeURIComponent(JSON.stringify(Object.fromEntries(changed)))}`);
    const classes = Object.entries(state.classes).flatMap(([id, rows]) => rows.map((row) => `${encodeURIComponent(id)}:${row}`));
    if (classes.length > 0) parts.push(`classes=${classes.join(",")}`);
    return `#${parts.join("&")}`;
  };

  /// The address of the view as it is now, for others who run the same preview or have its export.
  const link = () => location.href.split("#")[0] + format();

  let written = "";
  let pending = 0;
  const write = () => {
    pending = 0;
    const text = format();
    if (text === written) return;
    written = text;
    history.replaceState(null, "", text);
  };

  /// Changes the state; every part of the page hears of it and takes what concerns it.
  const set = (changes) => {
    Object.assign(state, changes);
    for (const listener of listeners) listener(changes);
    // Browsers refuse more than some 100 changes of the address in half a minute.
    if (pending === 0) pending = setTimeout(write, 300);
  };

  Object.assign(state, parse(location.hash));
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    set({ look: {}, classes: {}, ...parse(location.hash) });
  });

  /// An element of the page by its id.
  const element = (id) => document.getElementById(id);
  /// A new element with text and children; never with markup.
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const systemTheme = matchMedia("(prefers-color-scheme: dark)");
  const applyTheme = () => {
    const dark = state.theme === "dark" || (state.theme === "auto" && systemTheme.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  applyTheme();
  systemTheme.addEventListener("change", () => set({ theme: state.theme }));
  listeners.push((changes) => { if ("theme" in changes) applyTheme(); });

  /// A colour of the theme by its name in page.css.
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  return { state, set, link, onChange: (listener) => listeners.push(listener), element, make, color, catalogue: null };
})();
