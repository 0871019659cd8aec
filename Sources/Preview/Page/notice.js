"use strict";
// What the view cannot show, in a sentence on the map: tiles enlarged beyond the last zoom, and views without tiles.
(() => {
  const { element, make, map } = quadrille;

  const offset = (one) => (one.tileSize === 512 ? 1 : 0);
  const touches = (one) => {
    const [west, south, east, north] = one.bounds;
    const box = map.getBounds();
    return [-360, 0, 360].some((shift) => box.intersects(L.latLngBounds([south, west + shift], [north, east + shift])));
  };

  /// The sentence for the view, and the tileset whose whole it offers; null where all is well.
  const sentence = () => {
    const shown = quadrille.shownTilesets();
    if (shown.length === 0) return { text: "No layer is shown." };
    const zoom = Math.round(map.getZoom());
    const here = shown.filter(touches);
    if (here.length === 0) return { text: "The map has nothing in this view.", target: shown[0] };
    const inRange = here.filter((one) => zoom >= one.minzoom + offset(one));
    if (inRange.length === 0) {
      const first = Math.min(...here.map((one) => one.minzoom + offset(one)));
      return { text: `The map begins at zoom ${first}.`, target: here[0] };
    }
    if (inRange.every((one) => quadrille.hasTiles(one.id) === false)) return { text: "There are no tiles in this view.", target: inRange[0] };
    const last = Math.max(...inRange.map((one) => one.maxzoom + offset(one)));
    if (zoom > last) return { text: `Beyond zoom ${last} the tiles are enlarged.` };
    return null;
  };

  /// Says what the view lacks.
  quadrille.tellView = () => {
    if (!quadrille.catalogue) return;
    const found = sentence();
    const notice = element("notice");
    notice.hidden = found === null;
    if (found === null) return notice.replaceChildren();
    if (notice.firstChild?.textContent === found.text) return;
    notice.replaceChildren(make("span", {}, found.text));
    if (!found.target) return;
    const button = make("button", { type: "button" }, "Show all of it");
    button.addEventListener("click", () => { quadrille.frame(found.target.id); element("map").focus(); });
    notice.append(button);
  };
  map.on("moveend zoomend", quadrille.tellView);
  quadrille.onChange((changes) => { if ("shown" in changes) quadrille.tellView(); });
})();
