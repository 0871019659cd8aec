"use strict";
// A search over taps: by the server in the whole archive; in an exported folder in the tiles of the view.
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

  const scope = () => (quadrille.shownTilesets().some((one) => one.search) ? "" : " in this view");

  const show = (place) => {
    map.setView([place.lat, place.lng], Math.max(place.zoom, map.getZoom()), { animate: false });
    quadrille.closeSheet();
    element("map").focus();
    quadrille.tap(place.lat, place.lng);
  };

  const row = (place) => {
    const data = place.data;
    const name = quadrille.nameOf(data) || Object.values(data).find((value) => typeof value === "string") || "Without a name";
    const more = Object.entries(data)
      .filter(([key, value]) => !quadrille.isKey(key) && ["string", "number"].includes(typeof value) && String(value) !== name)
      .map(([, value]) => value).slice(0, 2).join(", ");
    const button = make("button", { type: "button" }, make("span", { class: "found" }, name));
    const near = quadrille.near(place.lat, place.lng);
    const line = [more.length < 60 ? more : "", near].filter((part) => part !== "").join(" · ");
    if (line !== "") button.append(make("span", { class: "where" }, line));
    button.addEventListener("click", () => show(place));
    return make("li", {}, button);
  };

  const run = async () => {
    const text = element("search-text").value;
    const turn = ++latest;
    const results = element("search-results");
    const status = element("search-status");
    if (text.trim().length < 2) {
      results.replaceChildren();
      status.textContent = text.trim() === "" ? "" : "Two letters or more are needed.";
      return;
    }
    try {
      const places = await quadrille.search(text);
      if (turn !== latest) return;
      results.replaceChildren(...places.map(row));
      const count = places.length >= limit ? `The first ${limit}` : String(places.length || "No record");
      status.textContent = `${count} found${scope()}.`;
    } catch (error) {
      if (turn !== latest) return;
      results.replaceChildren();
      status.textContent = error.message;
    }
  };

  let timer = 0;
  element("search-text").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(run, 250); });
  element("search").addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); run(); });
  element("search-text").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || element("search-text").value === "") return;
    event.stopPropagation();
    element("search-text").value = "";
    run();
  });
  quadrille.offerSearch = () => { element("search").hidden = !quadrille.shownTilesets().some((one) => one.taps); };
  quadrille.onChange((changes) => { if ("shown" in changes && quadrille.catalogue) quadrille.offerSearch(); });
})();
