"use strict";
// The map of one's own under the tiles (--under): tiles of an archive or a server, or a file of GeoJSON.
(() => {
  const { map, color, onChange, state } = quadrille;
  let layer = null;
  let shapes = null;
  let firstZoom = 0; // below it there are no tiles, and the land is shown
  quadrille.isCovered = false;

  const look = () => ({ color: color("--coast"), weight: 1, fillColor: color("--land"), fillOpacity: 1, interactive: false });

  /// Puts it under the tiles; what covers the ground stands for the land.
  quadrille.showUnder = async () => {
    const under = quadrille.catalogue.under;
    if (!under) return;
    if (under.attribution) quadrille.attribution.addAttribution(quadrille.safeAttribution(under.attribution));
    if (under.tiles) {
      firstZoom = under.minzoom || 0;
      layer = L.tileLayer(under.tiles, {
        pane: "under", minZoom: firstZoom, maxZoom: 22, maxNativeZoom: under.maxzoom ?? 19, referrerPolicy: "no-referrer",
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
    const isCovered = layer !== null && shapes === null && state.land && map.getZoom() >= firstZoom;
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
  onChange((changes) => { if ("land" in changes || "theme" in changes) apply(); });
  map.on("zoomend", cover);
})();
