"use strict";
// The map of one's own under the tiles (--under): tiles of an archive or a server, vector tiles that are painted in
// the theme, or a file of GeoJSON.
(() => {
  const { map, color, onChange, state } = quadrille;
  let layer = null;
  let shapes = null;
  let firstZoom = 0; // below it there are no tiles, and the land is shown
  let box = null; // painted tiles lie in it; around it the land is shown
  quadrille.isCovered = false;

  const look = () => ({ color: color("--coast"), weight: 1, fillColor: color("--land"), fillOpacity: 1, interactive: false });

  /// Puts it under the tiles; what covers the ground stands for the land.
  quadrille.showUnder = async () => {
    const under = quadrille.catalogue.under;
    if (!under) return;
    if (under.attribution) quadrille.attribution.addAttribution(quadrille.safeAttribution(under.attribution));
    if (under.tiles) {
      const offset = under.tileSize === 512 ? 1 : 0;
      firstZoom = (under.minzoom || 0) + offset;
      if (under.bounds) {
        const [west, south, east, north] = under.bounds;
        box = L.latLngBounds([south, west], [north, east]);
        // A box of less than a tile is a spot on the land, which has the rest of it.
        firstZoom = Math.max(firstZoom, Math.floor(Math.log2(360 / Math.max(east - west, 1e-3))));
      }
      layer = L.tileLayer(under.tiles, {
        pane: "under", minZoom: firstZoom, maxZoom: 22, maxNativeZoom: (under.maxzoom ?? 19) + offset, referrerPolicy: "no-referrer",
        tileSize: under.tileSize ?? 256, zoomOffset: -offset, updateWhenZooming: false, ...(box ? { bounds: box } : {}),
        theme: () => document.documentElement.dataset.theme, scale: () => Math.min(Math.ceil(devicePixelRatio || 1), 3),
        errorTileUrl: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
      });
    } else {
      const answer = await fetch(under.geojson);
      if (!answer.ok) throw new Error("the file of --under cannot be read");
      shapes = layer = L.geoJSON(await answer.json(), {
        pane: "under", renderer: L.canvas({ pane: "under" }), style: look,
        pointToLayer: (_, at) => L.circleMarker(at, { ...look(), pane: "under", radius: 3 }),
      });
    }
    apply();
  };
  /// Hides the land where tiles stand for it.
  const cover = () => {
    const isCovered = layer !== null && shapes === null && state.land && map.getZoom() >= firstZoom
      && (box === null || box.contains(map.getBounds()));
    if (isCovered === quadrille.isCovered) return;
    quadrille.isCovered = isCovered;
    quadrille.showLand();
  };
  const apply = () => {
    if (layer === null) return;
    cover();
    if (state.land) layer.addTo(map);
    else layer.remove();
    if (shapes) shapes.setStyle(look());
  };
  /// Whether the view has ground that is more detailed than the land.
  quadrille.hasGround = () => layer !== null && shapes === null && state.land && map.getZoom() >= firstZoom
    && (box === null || box.intersects(map.getBounds()));
  onChange((changes) => {
    if ("theme" in changes && box !== null) layer.redraw();
    if ("land" in changes || "theme" in changes) apply();
  });
  map.on("moveend", cover);
})();
