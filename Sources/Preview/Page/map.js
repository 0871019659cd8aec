"use strict";
// The map itself: the neutral ground with its graticule, tile borders, and the readout.
(() => {
  const { state, set, onChange, element, make, color } = quadrille;
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map("map", {
    attributionControl: false, fadeAnimation: false, zoomAnimation: !reduced, markerZoomAnimation: !reduced,
    inertia: !reduced, maxZoom: 22, maxBoundsViscosity: 1, worldCopyJump: false, zoomControl: true,
  });
  map.setView([0, 0], 0);

  // At zooms between two whole ones Leaflet scales the tiles, and their edges, between two pixels, let the ground shine
  // through. Here every edge lies on a device pixel, which both neighbours share.
  const snapped = (point) => point.multiplyBy(devicePixelRatio || 1).round().divideBy(devicePixelRatio || 1);
  const place = (layer, tile) => {
    const scale = layer._levels[tile.coords.z]?.snapped;
    if (scale === undefined) return;
    const at = layer._getTilePos(tile.coords);
    const [first, last] = [at, at.add(layer.getTileSize())].map((corner) => snapped(corner.multiplyBy(scale)));
    L.DomUtil.setPosition(tile.el, first);
    [tile.el.style.width, tile.el.style.height] = [`${last.x - first.x}px`, `${last.y - first.y}px`];
  };
  const addTile = L.GridLayer.prototype._addTile;
  L.GridLayer.include({
    _setZoomTransform(level, center, zoom) {
      const scale = map.getZoomScale(zoom, level.zoom);
      const shift = snapped(level.origin.multiplyBy(scale).subtract(map._getNewPixelOrigin(center, zoom)));
      // While the zoom changes the tiles are scaled as they are.
      if (!map._animatingZoom && level.snapped !== scale) {
        level.snapped = scale;
        for (const tile of Object.values(this._tiles)) if (tile.coords.z === level.zoom) place(this, tile);
      }
      L.DomUtil.setTransform(level.el, shift, scale / (level.snapped ?? 1));
    },
    _addTile(coords, container) {
      addTile.call(this, coords, container);
      place(this, this._tiles[this._tileCoordsToKey(coords)]);
    },
  });

  let world = L.latLngBounds([-85.0511, -180], [85.0511, 180]);
  const isWide = (zoom) => 256 * 2 ** zoom < 2 * map.getSize().x;
  let isLimited = false;

  /// Shows a view at any zoom, also between two whole ones: the buttons and the wheel lead back to these.
  quadrille.showView = ({ lat, lng }, zoom) => {
    map.options.zoomSnap = 0;
    map.options.maxBounds = isWide(zoom) ? world : null;
    map.setView([lat, lng], zoom, { animate: false });
    map.options.zoomSnap = 1;
  };

  /// One world fills the stage from side to side: no smaller zoom, and no copies beside it where half of it or more is seen.
  const limit = () => {
    const size = map.getSize();
    const zoom = Math.log2(Math.max(size.x, 256) / 256);
    if (map.options.minZoom !== zoom) {
      map.options.minZoom = zoom;
      if (map.getZoom() < zoom) quadrille.showView(map.getCenter(), zoom);
      map.fire("zoomlevelschange");
    }
    if (isWide(map.getZoom()) === isLimited) return;
    isLimited = !isLimited;
    map.setMaxBounds(isLimited ? world : null);
  };
  map.on("zoomend resize", limit);
  limit();

  /// Shows a box, west, south, east and north, as large as the stage has room for it, with a margin for symbols.
  quadrille.showBox = ([west, south, east, north], least, most) => {
    const corners = [[north, west], [south, east]].map((corner) => map.project(corner, 0));
    const room = map.getSize().subtract(L.point(96, quadrille.element("stage").classList.contains("timed") ? 160 : 96));
    const extent = corners[1].subtract(corners[0]);
    const fit = Math.log2(Math.min(Math.max(room.x, 64) / extent.x, Math.max(room.y, 64) / extent.y));
    const middle = map.unproject(corners[0].add(corners[1]).divideBy(2), 0);
    // Of a box across the antimeridian both sides are in one world.
    const seam = Math.abs(middle.lng) > 180 || east > 180 || west < -180 ? middle.lng : 0;
    world = L.latLngBounds([-85.0511, seam - 180], [85.0511, seam + 180]);
    quadrille.showView(middle, Math.max(Math.min(fit, most), least, map.getMinZoom()));
  };
  quadrille.showWorld = () => quadrille.showBox([-180, -85.0511, 180, 85.0511], 0, 22);

  const World = L.Control.extend({
    onAdd() {
      const box = make("div", { class: "leaflet-bar leaflet-control" });
      const link = make("a", { class: "world", href: "#", role: "button", title: "World", "aria-label": "World" }, make("span", { "aria-hidden": "true", class: "globe" }));
      L.DomEvent.disableClickPropagation(link).on(link, "click", (event) => { L.DomEvent.stop(event); quadrille.showWorld(); });
      box.append(link);
      return box;
    },
  });
  new World({ position: "topleft" }).addTo(map);
  // What is added later stands above: the attribution has no margin that would keep the scale clear of it.
  const attribution = L.control.attribution({ prefix: false }).addTo(map);
  L.control.scale({ position: "bottomright", imperial: false }).addTo(map);
  for (const [name, order] of [["ground", 150], ["under", 160], ["names", 170], ["both", 200], ["left", 210], ["right", 210], ["borders", 300]]) {
    map.createPane(name).style.zIndex = order;
  }
  for (const name of ["ground", "under", "names", "borders"]) map.getPane(name).style.pointerEvents = "none";
  quadrille.map = map;

  /// Degrees between lines: the least round number of which lines stand 130 px apart or more.
  const steps = [90, 45, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
  const stepAt = (zoom) => {
    const pixels = (256 * 2 ** zoom) / 360;
    return steps.filter((step) => step * pixels >= 130).pop() || 90;
  };
  const degrees = (value, step, positive, negative) => {
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const text = `${Math.abs(value).toFixed(digits)}°`;
    return Math.abs(value) < step / 2 ? "0°" : text + (value > 0 ? positive : negative);
  };

  const Graticule = L.GridLayer.extend({
    createTile(coords) {
      const size = 256;
      const ratio = Math.ceil(devicePixelRatio || 1);
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = size * ratio;
      const context = canvas.getContext("2d");
      context.scale(ratio, ratio);
      context.font = "10px system-ui, DejaVu Sans, sans-serif";
      const step = stepAt(coords.z);
      const origin = L.point(coords.x, coords.y).multiplyBy(size);
      // A label may begin in the tile to the left or below.
      const box = L.latLngBounds(
        map.unproject(origin.subtract([120, 20]), coords.z), map.unproject(origin.add([size, size + 20]), coords.z));
      const longitudes = [];
      for (let n = Math.ceil(Math.max(box.getWest(), -180) / step); n * step <= Math.min(box.getEast(), 180) + 1e-9; n++) longitudes.push(n * step);
      const latitudes = [];
      for (let n = Math.ceil(Math.max(box.getSouth(), -85) / step); n * step <= Math.min(box.getNorth(), 85); n++) latitudes.push(n * step);
      const place = (lat, lng) => map.project([lat, lng], coords.z).subtract(origin);
      context.strokeStyle = color("--line");
      context.lineWidth = 1;
      context.beginPath();
      for (const lng of longitudes) {
        const x = Math.round(place(0, lng).x) + 0.5;
        context.moveTo(x, 0);
        context.lineTo(x, size);
      }
      for (const lat of latitudes) {
        const y = Math.round(place(lat, 0).y) + 0.5;
        context.moveTo(0, y);
        context.lineTo(size, y);
      }
      context.stroke();
      // Where the land has names, the lines have none.
      if (state.land && coords.z < 8) return canvas;
      context.fillStyle = color("--faint");
      for (const lng of longitudes) {
        for (const lat of latitudes) {
          const at = place(lat, lng);
          context.fillText(`${degrees(lat, step, "N", "S")} ${degrees(lng, step, "E", "W")}`, Math.round(at.x) + 4, Math.round(at.y) - 4);
        }
      }
      return canvas;
    },
  });

  const Borders = L.GridLayer.extend({
    createTile(coords) {
      const tile = make("div", { class: "tile-border" });
      tile.append(make("span", {}, `${coords.z + (this.options.zoomOffset || 0)}/${coords.x}/${coords.y}`));
      return tile;
    },
  });

  const graticule = new Graticule({ pane: "ground", noWrap: true, keepBuffer: 1, zIndex: 2 });
  let borders = null;
  /// Borders are those of the topmost tileset: tiles of 512 px lie a zoom apart from those of 256.
  quadrille.showBorders = () => {
    if (borders) borders.remove();
    borders = null;
    if (!state.borders) return;
    const top = quadrille.shownTilesets ? quadrille.shownTilesets()[0] : null;
    const size = top ? top.tileSize : 256;
    borders = new Borders({ pane: "borders", tileSize: size, zoomOffset: size === 512 ? -1 : 0, noWrap: true, keepBuffer: 1 });
    borders.addTo(map);
  };
  const apply = (changes) => {
    if (("theme" in changes || "land" in changes) && map.hasLayer(graticule)) graticule.redraw();
    if ("graticule" in changes) { if (state.graticule) graticule.addTo(map); else graticule.remove(); }
    if ("borders" in changes || "shown" in changes) quadrille.showBorders();
    if ("view" in changes && state.view && !quadrille.isMoving) {
      const { zoom, lat, lng } = state.view;
      quadrille.showView({ lat, lng }, zoom);
    }
  };
  apply({ graticule: true, borders: true });
  onChange(apply);

  // The readout: the position under the pointer, or of the middle.
  const readout = (position) => {
    const zoom = map.getZoom();
    const at = (position || map.getCenter()).wrap();
    const tile = map.project(at, zoom).divideBy(256).floor();
    element("readout-zoom").textContent = +zoom.toFixed(2);
    element("readout-position").textContent = `${at.lat.toFixed(5)}, ${at.lng.toFixed(5)}`;
    element("readout-tile").textContent = `${Math.round(zoom)}/${tile.x}/${tile.y}`;
  };
  map.on("mousemove", (event) => readout(event.latlng));
  map.on("move zoom mouseout", () => readout(null));
  readout(null);
  map.on("moveend", () => {
    if (!quadrille.catalogue) return;
    const center = map.getCenter();
    quadrille.isMoving = true;
    set({ view: { zoom: map.getZoom(), lat: center.lat, lng: center.lng } });
    quadrille.isMoving = false;
  });
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(element("map"));

  /// The safe part of an attribution: text, and links to the web.
  const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  quadrille.safeAttribution = (html) => {
    const walk = (node) => [...node.childNodes].map((child) => {
      if (child.nodeType === Node.TEXT_NODE) return escape(child.data);
      if (child.nodeType !== Node.ELEMENT_NODE || ["SCRIPT", "STYLE"].includes(child.tagName)) return "";
      const href = child.tagName === "A" ? child.getAttribute("href") || "" : "";
      if (!/^https?:\/\//i.test(href)) return walk(child);
      return `<a href="${escape(href)}" target="_blank" rel="noopener noreferrer">${walk(child)}</a>`;
    }).join("");
    return walk(new DOMParser().parseFromString(html, "text/html").body);
  };
  quadrille.attribution = attribution;
})();
