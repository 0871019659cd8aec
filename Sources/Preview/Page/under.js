"use strict";
// The map of one's own under the tiles (--under): tiles of an archive or a server, or a file of GeoJSON.
(() => {
  const { map, color, onChange, state } = quadrille;
  let layer = null;
  let shapes = null;

  const look = () => ({ color: color("--coast"), weight: 1, fillColor: color("--land"), fillOpacity: 1, interactive: false });

  /// Puts it under the tiles; what covers the ground stands for the land.
  quadrille.showUnder = async () => {
    const under = quadrille.catalogue.under;
    if (!under) return;
    if (under.attribution) quadrille.attribution.addAttribution(quadrille.safeAttribution(under.attribution));
    if (under.tiles) {
      layer = L.tileLayer(under.tiles, {
        pane: "under", minZoom: 0, maxZoom: 22, minNativeZoom: under.minzoom || 0, maxNativeZoom: under.maxzoom ?? 19, referrerPolicy: "no-referrer",
        errorTileUrl: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
      });
      quadrille.isCovered = true;
    } else {
      const answer = await fetch(under.geojson);
      if (!answer.ok) throw new Error("the file of --under cannot be read");
      shapes = layer = L.geoJSON(await answer.json(), {
        pane: "under", renderer: L.canvas({ pane: "under" }), style: look,
        pointToLayer: (_, at) => L.circleMarker(at, { ...look(), pane: "under", radius: 3 }),
      });
    }
    apply();
    quadrille.showLand();
  };
  const apply = () => {
    if (layer === null) return;
    quadrille.isCovered = shapes === null && state.land;
    if (state.land) layer.addTo(map);
    else layer.remove();
    if (shapes) shapes.setStyle(look());
  };
  onChange((changes) => { if ("land" in changes || "theme" in changes) { apply(); quadrille.showLand(); } });
})();
