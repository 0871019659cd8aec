"use strict";
// Taps: what the archive knows of the place that was clicked, by its grids (UTFGrid) or by compact taps (blocks.js).
(() => {
  const { map, element, make } = quadrille;
  const cache = new Map();
  const cacheLimit = 256;

  quadrille.forgetTaps = () => cache.clear();

  /// What is read from an answer; null where there is none, or a damaged one.
  quadrille.fetched = (url, read) => {
    if (!cache.has(url)) {
      if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value);
      cache.set(url, fetch(url).then((answer) => (answer.ok ? read(answer) : null)).catch(() => null));
    }
    return cache.get(url);
  };
  quadrille.tileUrl = (template, tiles, zoom, x, y) => template.replace("{frame}", tiles.frame || "")
    .replace("{z}", zoom).replace("{x}", x).replace("{y}", y);
  const grid = (tiles, zoom, x, y) => quadrille.fetched(quadrille.tileUrl(tiles.grids, tiles, zoom, x, y), (answer) => answer.json());

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

  /// The cell of a key that lies nearest to the middle of its cells, in shares of the tile.
  const middle = (grid, key) => {
    const number = (Array.isArray(grid.keys) ? grid.keys : []).indexOf(key);
    if (number < 0 || !Array.isArray(grid.grid)) return null;
    let code = number + 32;
    if (code >= 34) code++;
    if (code >= 92) code++;
    const character = String.fromCodePoint(code);
    const cells = grid.grid.flatMap((row, y) => [...String(row)].flatMap((c, x) => (c === character ? [[x, y]] : [])));
    if (cells.length === 0) return null;
    const side = grid.grid.length;
    const [x, y] = quadrille.middleOf(cells);
    return { x: (x + 0.5) / side, y: (y + 0.5) / side };
  };

  /// The one of some places that lies nearest to their mean.
  quadrille.middleOf = (places) => {
    const mean = [0, 1].map((i) => places.reduce((sum, place) => sum + place[i], 0) / places.length);
    const far = ([x, y]) => (x - mean[0]) ** 2 + (y - mean[1]) ** 2;
    return places.reduce((best, place) => (far(place) < far(best) ? place : best));
  };

  const answersTaps = (tiles) => Boolean(tiles && (tiles.grids || tiles.blocks));

  const answer = async (one, position) => {
    const tiles = quadrille.tilesOf(one);
    if (!answersTaps(tiles)) return null;
    const zoom = quadrille.tileZoom(one);
    const scaled = map.options.crs.latLngToPoint(position.wrap(), zoom).divideBy(256);
    const tile = scaled.floor();
    const share = scaled.subtract(tile);
    const found = tiles.blocks
      ? await quadrille.blockAnswer(tiles, zoom, tile, share) : entry(await grid(tiles, zoom, tile.x, tile.y), share.x, share.y);
    return found && { tileset: one.id, title: one.title, tileSize: one.tileSize, zoom, tile: `${zoom}/${tile.x}/${tile.y}`, ...found };
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

  /// The fields by which a record is known, in the order of preference.
  const names = /^(name|title|label|heading|caption)([_:]?\w*)?$|^(\w+_)?(name|title|label)$/i;
  /// Fields that tell programs which record it is, and people nothing.
  const keys = /^(id|key|fid|gid|oid|uid|uuid|guid|pk|ref|hash|source|cluster|cluster_id|point_count_abbreviated|bbox|expansion_zoom|globalid|objectid)$|(_|:)(id|key|uuid|ref|hash)$/i;
  quadrille.isKey = (key) => keys.test(key);
  const isLong = (value) => typeof value === "string" && /^[A-Za-z0-9+/_=.-]{24,}$/.test(value);

  /// What a record is called: its first field that is a name, else nothing.
  quadrille.nameOf = (data) => {
    if (data === null || typeof data !== "object") return "";
    const found = Object.entries(data).find(([key, value]) => names.test(key) && value !== null && typeof value !== "object" && value !== "");
    if (found) return String(found[1]);
    return quadrille.isCluster(data) && data.point_count ? `${Number(data.point_count).toLocaleString("en")} places` : "";
  };
  quadrille.isCluster = (data) => data !== null && typeof data === "object" && (data.cluster === true || Number.isInteger(data.expansion_zoom));

  const membersShown = 10;
  const list = (entries) => make("dl", {}, ...entries.flatMap(([key, item]) => [make("dt", {}, key), make("dd", {}, describe(item))]));
  const describe = (value) => {
    if (Array.isArray(value) && value.some((item) => item !== null && typeof item === "object")) {
      const items = value.slice(0, membersShown).map((item) => make("li", {}, member(item)));
      if (value.length > membersShown) items.push(make("li", {}, `… ${value.length - membersShown} more`));
      return make("ol", {}, ...items);
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) return make("span", {}, text(value));
    const entries = Object.entries(value);
    const isKey = ([key, item]) => keys.test(key) || isLong(item);
    const first = entries.filter((entry) => names.test(entry[0]) && !isKey(entry));
    const rest = entries.filter((entry) => !first.includes(entry) && !isKey(entry));
    const folded = entries.filter(isKey);
    const parts = [list([...first, ...rest])];
    if (folded.length > 0) parts.push(make("details", {}, make("summary", {}, "Keys"), list(folded)));
    return make("div", {}, ...parts);
  };

  /// A member of a cluster: its name, behind which the rest is folded.
  const member = (item) => {
    const name = quadrille.nameOf(item);
    if (name === "") return describe(item);
    return make("details", {}, make("summary", {}, name), list(Object.entries(item).filter(([, value]) => String(value) !== name)));
  };

  /// What the heading does not say of a record.
  const body = (data) => {
    if (data === null || typeof data !== "object" || Array.isArray(data)) return describe(data);
    const heading = quadrille.nameOf(data);
    return describe(Object.fromEntries(Object.entries(data).filter(([key, value]) =>
      (quadrille.isCluster(data) ? key !== "point_count" : String(value) !== heading))));
  };

  /// The zoom at which a cluster comes apart; two zooms on where the tap does not say it; null where there is none.
  const splitZoom = (one) => {
    if (!quadrille.isCluster(one.data)) return null;
    const offset = one.tileSize === 512 ? 1 : 0;
    const told = one.data.expansion_zoom;
    const last = tilesetOf(one).maxzoom;
    const zoom = Math.min(Number.isInteger(told) ? told : one.zoom + 2, Math.max(last, one.zoom));
    return zoom > one.zoom ? zoom + offset : null;
  };
  const tilesetOf = (one) => quadrille.catalogue.tilesets.find((other) => other.id === one.tileset);

  /// A button that leads to the zoom at which a cluster comes apart.
  const zoomIn = (one, position) => {
    const zoom = splitZoom(one);
    if (zoom === null) return [];
    const button = make("button", { type: "button" }, `Zoom in to ${zoom}`);
    button.addEventListener("click", () => { map.closePopup(); zoomTo(position, zoom); element("map").focus(); });
    return [button];
  };
  const zoomTo = (position, zoom) => map.setView(position, Math.min(zoom, 22), { animate: false });

  const say = (words) => { element("tap-result").textContent = words; };
  const spoken = (one) => {
    const data = one.data !== null && typeof one.data === "object" ? one.data : { key: one.key };
    const name = quadrille.nameOf(data);
    const fields = Object.entries(data).filter(([key, value]) => !keys.test(key) && typeof value !== "object" && String(value) !== name);
    return `${one.title}: ${[name, ...fields.map(([key, value]) => `${key} ${text(value)}`)].filter((word) => word !== "").join(", ")}`;
  };

  /// Shows what is known of a place, and says it. A cluster that comes apart farther in is zoomed to instead.
  quadrille.tap = async (lat, lng, { zooms = false } = {}) => {
    const position = L.latLng(lat, lng);
    const { asked, found } = await answers(position);
    if (found.length === 0) {
      map.closePopup();
      // A map without taps has nothing to say of a place, so it says nothing.
      say(asked ? "No record at this place." : "");
      return found;
    }
    const split = found.length === 1 || quadrille.isCluster(found[0].data) ? splitZoom(found[0]) : null;
    if (zooms && split !== null) {
      map.closePopup();
      zoomTo(position, split);
      say(`${quadrille.nameOf(found[0].data) || "A cluster"}: zoomed in to ${split}`);
      return found;
    }
    const parts = found.map((one) => make(
      "section", {}, make("h2", {}, quadrille.nameOf(one.data) || one.title), ...zoomIn(one, position),
      one.data === undefined ? make("p", {}, one.key) : body(one.data)));
    const content = make("div", { class: "tap", id: "tap", role: "group", "aria-label": "What is here" }, ...parts);
    say(found.map(spoken).join("; "));
    L.popup({ maxWidth: 320, minWidth: 160, autoPanPaddingTopLeft: [60, 12], autoPanPaddingBottomRight: [12, 40] }).setLatLng(position).setContent(content).openOn(map);
    return found;
  };
  map.on("click", (event) => quadrille.tap(event.latlng.lat, event.latlng.lng, { zooms: !event.originalEvent.shiftKey }));
  element("map").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== element("map")) return;
    const center = map.getCenter();
    quadrille.tap(center.lat, center.lng, { zooms: !event.shiftKey });
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || element("tap") === null) return;
    map.closePopup();
    element("map").focus();
  });

  /// The records of a tile: [data, place in shares of the tile].
  const recordsOf = async (tiles, zoom, x, y) => {
    if (tiles.blocks) return quadrille.blockRecords(tiles, zoom, x, y);
    const found = await grid(tiles, zoom, x, y);
    return Object.entries((found && found.data) || {}).map(([key, data]) => [data, middle(found, key)]).filter(([, at]) => at !== null);
  };

  /// The records of the tiles in view that a test accepts, each once, with a place where it is; of all tilesets that are shown.
  quadrille.recordsInView = async (accepts, limit, shown = quadrille.shownTilesets()) => {
    const found = new Map();
    for (const one of shown.filter((other) => other.taps)) {
      const tiles = quadrille.tilesOf(one);
      if (!answersTaps(tiles)) continue;
      const zoom = quadrille.tileZoom(one);
      const box = map.getBounds();
      const corner = (at) => map.options.crs.latLngToPoint(at, zoom).divideBy(256).floor();
      const [first, last] = [corner(box.getNorthWest()), corner(box.getSouthEast())];
      const count = 2 ** zoom;
      const addresses = [];
      for (let x = first.x; x <= last.x && addresses.length < 60; x++) {
        for (let y = Math.max(first.y, 0); y <= Math.min(last.y, count - 1); y++) addresses.push([x, y]);
      }
      await Promise.all(addresses.map(async ([x, y]) => {
        for (const [data, at] of await recordsOf(tiles, zoom, ((x % count) + count) % count, y)) {
          const id = `${one.id} ${data.id ?? JSON.stringify(data)}`;
          if (found.size >= limit || found.has(id) || !accepts(data)) continue;
          const place = map.options.crs.pointToLatLng(L.point((x + at.x) * 256, (y + at.y) * 256), zoom);
          found.set(id, { tileset: one.id, data, lat: place.lat, lng: place.lng, zoom: map.getZoom() });
        }
      }));
    }
    return [...found.values()];
  };
})();
