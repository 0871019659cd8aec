"use strict";
// A search over taps and named places: records by the server in the whole archive, in an exported folder in the tiles of the view.
(() => {
  const { element, make, map } = quadrille;
  const limit = 20;
  let latest = 0;

  const words = (data, into = []) => {
    if (data !== null && typeof data === "object") for (const value of Object.values(data)) words(value, into);
    else if (data !== null && data !== undefined) into.push(String(data).toLowerCase());
    return into;
  };

  const inArchive = async (text) => {
    const shown = quadrille.shownTilesets().filter((one) => one.search);
    const all = await Promise.all(shown.map(async (one) => {
      const frame = quadrille.tilesOf(one)?.frame;
      const url = `${one.search}?q=${encodeURIComponent(text)}${frame ? `&frame=${frame}` : ""}`;
      const answer = await fetch(url);
      if (!answer.ok) throw new Error("The search failed.");
      const told = await answer.json();
      return told.places.map((place) => ({ ...place, tileset: one.id, zoom: place.zoom + (one.tileSize === 512 ? 1 : 0) }));
    }));
    return all.flat().slice(0, limit);
  };

  /// The places whose taps have the words.
  quadrille.search = async (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted.length < 2) return [];
    if (quadrille.shownTilesets().some((one) => one.search)) return inArchive(wanted);
    return quadrille.recordsInView((data) => !quadrille.isCluster(data) && words(data).some((word) => word.includes(wanted)), limit);
  };

  const field = element("search-text");
  const list = element("search-results");
  const status = element("search-status");
  const placesShown = 2;
  let found = []; // {option, show}: what the list has, from the top
  let active = -1;

  const showRecord = (place) => {
    quadrille.showView(place, Math.max(place.zoom, map.getZoom()));
    quadrille.tap(place.lat, place.lng);
  };

  const option = (name, line) => make(
    "li", { role: "option", "aria-selected": "false", id: `found-${found.length}` }, make("span", { class: "found" }, name),
    ...(line === "" ? [] : [make("span", { class: "where" }, line)]));
  const add = (name, line, show) => {
    const made = { option: option(name, line), show };
    made.option.addEventListener("click", () => go(made));
    found.push(made);
  };

  const addRecord = (place) => {
    const data = place.data;
    const name = quadrille.nameOf(data) || Object.values(data).find((value) => typeof value === "string") || "Without a name";
    const more = Object.entries(data)
      .filter(([key, value]) => !quadrille.isKey(key) && ["string", "number"].includes(typeof value) && String(value) !== name)
      .map(([, value]) => value).slice(0, 2).join(", ");
    const line = [more.length < 60 ? more : "", quadrille.near(place.lat, place.lng)].filter((part) => part !== "").join(" · ");
    add(name, line, () => showRecord(place));
  };

  const activate = (to) => {
    active = to;
    found.forEach((one, i) => one.option.setAttribute("aria-selected", String(i === active)));
    if (active < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", found[active].option.id);
    found[active].option.scrollIntoView({ block: "nearest" });
  };

  const fill = (records, places) => {
    found = [];
    for (const place of places) add(place.name, place.where, place.show);
    records.forEach(addRecord);
    list.replaceChildren(...found.map((one) => one.option));
    list.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
    activate(-1);
  };

  /// Leads to what was found, and puts the focus on the map.
  const go = (one) => {
    quadrille.closeSheet();
    element("map").focus();
    one.show();
  };

  const hasRecords = () => quadrille.shownTilesets().some((one) => one.taps);
  const count = (records, places) => {
    const scope = quadrille.shownTilesets().some((one) => one.search) ? "" : " in this view";
    const many = records.length >= limit ? `The first ${limit} records` : `${records.length || "No"} ${records.length === 1 ? "record" : "records"}`;
    const others = places.length === 0 ? "" : `${places.length} ${places.length === 1 ? "place" : "places"}`;
    if (!hasRecords()) return others === "" ? "No place found." : `${others} found.`;
    return `${many}${others === "" ? "" : ` and ${others}`} found${scope}.`;
  };

  const run = async () => {
    const text = field.value.trim();
    const turn = ++latest;
    if (text.length < 2) {
      fill([], []);
      status.textContent = text === "" ? "" : "Two letters or more are needed.";
      return;
    }
    const places = quadrille.placesNamed(text.toLowerCase(), placesShown);
    try {
      const records = await quadrille.search(text);
      if (turn !== latest) return;
      fill(records, places);
      status.textContent = count(records, places);
    } catch (error) {
      if (turn !== latest) return;
      fill([], places);
      status.textContent = error.message;
    }
  };

  let timer = 0;
  const clear = () => { field.value = ""; clearTimeout(timer); run(); };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(run, 150); });
  element("search").addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (active < 0) await run();
    const one = found[Math.max(active, 0)];
    if (one) go(one);
  });
  field.addEventListener("keydown", (event) => {
    const last = found.length - 1;
    if (event.key === "Escape" && field.value !== "") {
      event.stopPropagation();
      event.preventDefault();
      return clear();
    }
    if (last < 0 || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "ArrowDown") activate(active === last ? -1 : active + 1);
    else activate(active === -1 ? last : active - 1);
  });

  /// Has the server make its index of what is shown, so that the first letters find at once.
  const prepare = () => {
    for (const one of quadrille.shownTilesets()) {
      if (one.search && !one.series) fetch(one.search).then((answer) => answer.arrayBuffer()).catch(() => {});
    }
  };
  const offer = () => { element("search-label").textContent = hasRecords() ? "Search records and places" : "Search places"; };
  quadrille.offerSearch = () => { offer(); prepare(); };
  quadrille.onChange((changes) => { if ("shown" in changes && quadrille.catalogue) offer(); });
})();
