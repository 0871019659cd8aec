"use strict";
// The tilesets as layers of the map: which are shown, how opaque, at which density, on which side.
(() => {
  const { state, onChange, map } = quadrille;
  const layers = new Map(); // id: {layers: Map(key: L.TileLayer), current: key, visible: key, turning: number of changes on their way}
  let attributions = [];

  const tileset = (id) => quadrille.catalogue.tilesets.find((one) => one.id === id);

  /// The tilesets that are shown, the topmost first.
  quadrille.shownTilesets = () => {
    const all = quadrille.catalogue ? quadrille.catalogue.tilesets : [];
    if (state.shown === null) return [...all];
    return state.shown.map(tileset).filter((one) => one !== undefined);
  };

  /// Whether there are two layers to compare.
  quadrille.canCompare = () => quadrille.shownTilesets().length > 1;

  /// left, right or both: where the swipe shows a tileset.
  quadrille.side = (id) => {
    if (state.swipe === null || !quadrille.canCompare()) return "both";
    const shown = quadrille.shownTilesets();
    const right = state.right === null ? [shown[1].id] : state.right;
    return right.includes(id) ? "right" : "left";
  };

  /// The density to show of a tileset: the one asked for, where it has that.
  quadrille.density = (one) => {
    const { densities } = one.painted ?? one;
    if (state.density === "auto") {
      // The least that is as sharp as the screen; densities ascend.
      return densities.find((density) => density.scale >= devicePixelRatio) ?? densities.at(-1);
    }
    return densities.find((density) => density.scale === Number(state.density)) ?? densities[0];
  };

  /// The zoom of the tiles that the map shows of a tileset.
  quadrille.tileZoom = (one) => {
    const zoom = Math.round(map.getZoom()) - (one.tileSize === 512 ? 1 : 0);
    return Math.min(Math.max(zoom, one.minzoom), one.maxzoom);
  };

  const make = (one, template, pane, opacity) => {
    const offset = one.tileSize === 512 ? 1 : 0;
    const [west, south, east, north] = one.bounds;
    return L.tileLayer(template, {
      pane, opacity, tileSize: one.tileSize, zoomOffset: -offset, minZoom: one.minzoom && one.minzoom + offset, maxZoom: 22,
      minNativeZoom: one.minzoom + offset, maxNativeZoom: one.maxzoom + offset,
      bounds: L.latLngBounds([south, west], [north, east]), updateWhenZooming: false, keepBuffer: 2,
      // Where the archive has no tile there is nothing to see.
      errorTileUrl: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    });
  };

  const opacityOf = (id) => (id in state.opacity ? state.opacity[id] : 100) / 100;

  /// How many frames of a series stay loaded beside the one that is shown.
  const keptFrames = 48;

  const drop = (id) => {
    const entry = layers.get(id);
    if (!entry) return;
    for (const layer of entry.layers.values()) layer.remove();
    layers.delete(id);
  };

  /// Shows a frame of a series, or nothing for null; the next frame is loaded ahead. Any other tileset has one frame for each look,
  /// by the template of its tiles.
  const showFrame = (one, entry, frame, next) => {
    const template = quadrille.density(one).tiles;
    const add = (key) => {
      if (entry.layers.has(key)) return;
      const layer = make(one, template.replace("{frame}", key), quadrille.side(one.id), 0);
      entry.layers.set(key, layer);
      layer.on("load", () => turn(entry, async () => {
        await decoded(layer);
        layer.isWhole = true;
        reveal(one, entry);
        tellTiles();
      }));
      layer.addTo(map);
    };
    entry.current = frame;
    if (frame !== null) add(frame);
    if (next !== null) add(next);
    for (const key of entry.layers.keys()) {
      if (entry.layers.size <= (one.series ? keptFrames : 2)) break;
      if (key === frame || key === next || key === entry.visible) continue;
      entry.layers.get(key).remove();
      entry.layers.delete(key);
    }
    reveal(one, entry);
  };

  /// Decodes the pictures of a layer, which a browser leaves until they are seen.
  const decoded = (layer) => Promise.all(Object.values(layer._tiles || {}).map((tile) => tile.el.decode().catch(() => {})));
  /// Waits until a layer that was shown is on the screen: Chromium draws pictures, even decoded ones, some frames after their layer.
  const painted = () => new Promise((resolve) => { setTimeout(() => requestAnimationFrame(resolve), 300); });
  /// Does what takes some frames of the screen.
  const turn = (entry, act) => {
    entry.turning++;
    act().finally(() => { entry.turning--; });
  };

  /// One frame is seen at a time: the last one stays until the tiles of the next have come and are painted.
  const reveal = (one, entry) => {
    const current = entry.current === null ? null : entry.layers.get(entry.current);
    if (current && !current.isWhole && entry.layers.has(entry.visible)) return;
    const isOther = current && entry.visible !== entry.current && entry.layers.has(entry.visible);
    entry.visible = entry.current;
    for (const layer of entry.layers.values()) layer.setZIndex(orderOf(one.id));
    if (current && current.options.opacity !== opacityOf(one.id)) current.setOpacity(opacityOf(one.id));
    if (!isOther) return hide(one, entry);
    turn(entry, async () => {
      await painted();
      hide(one, entry);
    });
  };

  /// Hides all frames but the one that is seen, and takes off looks that have been.
  const hide = (one, entry) => {
    for (const [key, layer] of entry.layers) {
      if (key === entry.visible) continue;
      if (layer.options.opacity !== 0) layer.setOpacity(0);
      // A look that is on its way is not seen yet.
      if (one.series || key === entry.current) continue;
      layer.remove();
      entry.layers.delete(key);
    }
  };

  const orderOf = (id) => 100 - quadrille.shownTilesets().findIndex((one) => one.id === id);

  /// Makes the map show what the state says.
  quadrille.showLayers = () => {
    if (!quadrille.catalogue) return;
    const shown = quadrille.shownTilesets();
    for (const id of [...layers.keys()]) if (!shown.some((one) => one.id === id)) drop(id);
    for (const one of shown) {
      const look = `${quadrille.side(one.id)} ${quadrille.density(one).scale}`;
      if (layers.has(one.id) && layers.get(one.id).look !== look) drop(one.id);
      if (!layers.has(one.id)) layers.set(one.id, { layers: new Map(), current: null, visible: null, turning: 0, look });
      const entry = layers.get(one.id);
      if (one.series) {
        const { frame, next } = quadrille.frameOf(one);
        showFrame(one, entry, frame, next);
        continue;
      }
      showFrame(one, entry, quadrille.density(one).tiles, null);
    }
    for (const text of attributions) quadrille.attribution.removeAttribution(text);
    attributions = shown.map((one) => quadrille.safeAttribution(one.attribution || "")).filter((text) => text !== "");
    for (const text of attributions) quadrille.attribution.addAttribution(text);
    if (quadrille.clipSides) quadrille.clipSides();
  };

  /// Where the series of a tileset is; without a series, its tiles.
  quadrille.tilesOf = (one) => {
    if (!one.series) return quadrille.density(one);
    const { frame } = quadrille.frameOf(one);
    return frame === null ? null : { ...quadrille.density(one), frame };
  };

  /// Whether a tileset has a tile of its own in the view; nothing while tiles are on their way.
  quadrille.hasTiles = (id) => {
    const entry = layers.get(id);
    const layer = entry && entry.layers.get(entry.current);
    if (!layer || layer.isLoading()) return undefined;
    const tiles = Object.values(layer._tiles || {}).filter((tile) => tile.current);
    // The stand-in for a missing tile is one pixel wide.
    return tiles.some((tile) => tile.el.naturalWidth > 1);
  };

  /// The images of the tiles that are seen, of all layers that are not quite transparent, or of one.
  quadrille.shownImages = (only = null) => [...layers].flatMap(([id, entry]) => {
    const layer = entry.layers.get(entry.visible);
    if (!layer || opacityOf(id) === 0 || (only !== null && id !== only)) return [];
    return Object.values(layer._tiles || {}).filter((tile) => tile.current && tile.loaded && tile.el.naturalWidth > 1).map((tile) => tile.el);
  });

  /// Tells the parts that look at what the tiles show.
  const tellTiles = () => {
    quadrille.tellView();
    quadrille.drawNames();
    quadrille.readColours();
  };

  /// Takes all layers off, so that they are made anew.
  quadrille.dropLayers = () => { for (const id of [...layers.keys()]) drop(id); };

  /// Waits until no tile is on its way.
  quadrille.idle = () => new Promise((resolve) => {
    const look = () => {
      const all = [...layers.values()];
      if (all.some((entry) => entry.turning > 0 || [...entry.layers.values()].some((layer) => layer.isLoading()))) setTimeout(look, 30);
      else requestAnimationFrame(() => requestAnimationFrame(resolve));
    };
    setTimeout(look, 30);
  });

  onChange((changes) => {
    if (["shown", "opacity", "right", "swipe", "density", "time"].some((key) => key in changes)) quadrille.showLayers();
  });
})();
