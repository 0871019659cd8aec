"use strict";
// Taps: what the archive's grids (UTFGrid) know of the place that was clicked.
(() => {
  const { map, element, make } = quadrille;
  const cache = new Map();
  const cacheLimit = 64;

  const load = (url) => {
    if (!cache.has(url)) {
      if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value);
      cache.set(url, fetch(url).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null));
    }
    return cache.get(url);
  };

  /// The entry of a grid at a share of its tile, as the UTFGrid specification has it.
  const entry = (grid, x, y) => {
    if (!grid || !Array.isArray(grid.grid) || !Array.isArray(grid.keys)) return null;
    const rows = grid.grid.length;
    const row = [...(grid.grid[Math.min(Math.floor(y * rows), rows - 1)] || "")];
    const character = row[Math.min(Math.floor(x * row.length), row.length - 1)];
    if (character === undefined) return null;
    let code = character.codePointAt(0);
    if (code >= 93) code--;
    if (code >= 35) code--;
    const key = grid.keys[code - 32];
    if (key === undefined || key === "") return null;
    return { key, data: grid.data ? grid.data[key] : undefined };
  };

  const answer = async (one, position) => {
    const tiles = quadrille.tilesOf(one);
    if (!tiles || !tiles.grids) return null;
    const zoom = quadrille.tileZoom(one);
    const scaled = map.options.crs.latLngToPoint(position.wrap(), zoom).divideBy(256);
    const tile = scaled.floor();
    const url = tiles.grids.replace("{frame}", tiles.frame || "")
      .replace("{z}", zoom).replace("{x}", tile.x).replace("{y}", tile.y);
    const found = entry(await load(url), scaled.x - tile.x, scaled.y - tile.y);
    return found && { tileset: one.id, title: one.title, tile: `${zoom}/${tile.x}/${tile.y}`, ...found };
  };

  /// What lies at a place, the topmost tileset first; with a swipe, of the side of the place.
  const answers = async (position) => {
    const { state } = quadrille;
    const x = map.latLngToContainerPoint(position).x;
    const side = x < (map.getSize().x * (state.swipe || 0)) / 100 ? "left" : "right";
    const seen = quadrille.shownTilesets().filter((one) => ["both", side].includes(quadrille.side(one.id)));
    const all = await Promise.all(seen.map((one) => answer(one, position)));
    return { asked: seen.some((one) => one.taps), found: all.filter((found) => found !== null) };
  };

  const text = (value) => {
    if (value === null || value === undefined) return "–";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  };
  const membersShown = 10;
  const describe = (value) => {
    if (Array.isArray(value) && value.some((item) => item !== null && typeof item === "object")) {
      const items = value.slice(0, membersShown).map((item) => make("li", {}, describe(item)));
      if (value.length > membersShown) items.push(make("li", {}, `… ${value.length - membersShown} more`));
      return make("ol", {}, ...items);
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) return make("span", {}, text(value));
    return make("dl", {}, ...Object.entries(value).flatMap(([key, item]) => [make("dt", {}, key), make("dd", {}, describe(item))]));
  };

  /// Shows what is known of a place, and says it.
  quadrille.tap = async (lat, lng) => {
    const position = L.latLng(lat, lng);
    const { asked, found } = await answers(position);
    const nothing = asked ? "Nothing is here." : "These tilesets have no taps.";
    const parts = found.map((one) => make(
      "section", {}, make("h3", {}, one.title), one.data === undefined ? make("p", {}, one.key) : describe(one.data)));
    const content = make("div", { class: "tap", id: "tap" }, ...(parts.length > 0 ? parts : [make("p", {}, nothing)]));
    element("tap-result").textContent = found.length === 0 ? nothing : found.map((one) => {
      const data = one.data !== null && typeof one.data === "object" ? one.data : { key: one.key };
      return `${one.title}: ${Object.entries(data).map(([key, value]) => `${key} ${text(value)}`).join(", ")}`;
    }).join("; ");
    L.popup({ maxWidth: 320, autoPan: false }).setLatLng(position).setContent(content).openOn(map);
    return found;
  };
  map.on("click", (event) => quadrille.tap(event.latlng.lat, event.latlng.lng));
  element("map").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== element("map")) return;
    const center = map.getCenter();
    quadrille.tap(center.lat, center.lng);
  });
})();
