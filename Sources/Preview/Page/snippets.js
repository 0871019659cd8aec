"use strict";
// Buttons that copy what shows a tileset elsewhere: in Leaflet, MapLibre GL JS, QGIS, on iOS and on Android.
(() => {
  const { element, make } = quadrille;
  const text = (value) => JSON.stringify(String(value));
  const plain = (value) => String(value).replace(/<[^>]*>/g, "");
  const kotlin = (value) => text(value).replaceAll("$", "\\$");

  const forms = {
    Leaflet: (one) => `L.tileLayer(${text(one.url)}, {
  minZoom: ${one.first}, maxZoom: 22, minNativeZoom: ${one.first}, maxNativeZoom: ${one.last}, tileSize: ${one.size}, zoomOffset: ${one.size === 512 ? -1 : 0},
  bounds: [[${one.south}, ${one.west}], [${one.north}, ${one.east}]],
  attribution: ${text(one.attribution)}
}).addTo(map);
`,
    "MapLibre GL JS": (one) => `map.once("idle", () => {
  map.addSource(${text(one.id)}, {
    type: "raster", tiles: [${text(one.url)}], tileSize: ${one.size},
    minzoom: ${one.minzoom}, maxzoom: ${one.maxzoom}, bounds: [${one.west}, ${one.south}, ${one.east}, ${one.north}],
    attribution: ${text(one.attribution)}
  });
  map.addLayer({ id: ${text(one.id)}, type: "raster", source: ${text(one.id)}, paint: { "raster-fade-duration": 0 } });
});
map.triggerRepaint();
`,
    QGIS: (one) => `# Python console of QGIS (Ctrl+Alt+P)
from qgis.core import QgsProject, QgsRasterLayer
from urllib.parse import quote
uri = "type=xyz&zmin=${one.minzoom}&zmax=${one.maxzoom}&url=" + quote(${text(one.url)}, safe=":/{}")
QgsProject.instance().addMapLayer(QgsRasterLayer(uri, ${text(one.title)}, "wms"))
`,
    iOS: (one) => `// Swift with MapLibre Native. Add ${one.file} to the app's target; the map reads the file itself.
if let file = Bundle.main.url(forResource: ${text(one.stem)}, withExtension: ${text(one.ending)}),
  let url = URL(string: "${one.scheme}\\(file.path)") {
  let source = MLNRasterTileSource(identifier: ${text(one.id)}, configurationURL: url, tileSize: ${one.size})
  style.addSource(source)
  style.addLayer(MLNRasterStyleLayer(identifier: ${text(one.id)}, source: source))
}
`,
    Android: (one) => `// Kotlin with MapLibre Native. Put ${one.file} into the app's assets; the map reads the file itself.
val file = File(context.filesDir, ${kotlin(one.file)})
if (!file.exists()) context.assets.open(${kotlin(one.file)}).use { from -> file.outputStream().use { from.copyTo(it) } }
style.addSource(RasterSource(${kotlin(one.id)}, "${one.scheme}\${file.path}", ${one.size}))
style.addLayer(RasterLayer(${kotlin(one.id)}, ${kotlin(one.id)}))
`,
  };

  /// A tileset's tiles as another program asks for them, and the file that has them; of a series those of the frame that is shown.
  const facts = (shown) => {
    const one = { ...shown, painted: undefined }; // tiles of a look that is tried out are gone with the page
    const tiles = quadrille.tilesOf(one) || quadrille.density(one);
    const frame = tiles.frame || (one.series ? one.series.frames[0].frame : "");
    const path = tiles.tiles.replace("{frame}", frame);
    const file = tiles.file.replace("{frame}", frame);
    const [, stem, ending] = file.match(/^(.*)[.]([^.]*)$/);
    const [west, south, east, north] = one.bounds;
    const offset = one.tileSize === 512 ? 1 : 0;
    return {
      id: one.id, title: one.title, file, stem, ending, scheme: ending === "pmtiles" ? "pmtiles://file://" : "mbtiles://",
      url: new URL(".", location.href.split("#")[0]).href + path, size: one.tileSize,
      minzoom: one.minzoom, maxzoom: one.maxzoom, first: one.minzoom + offset, last: one.maxzoom + offset,
      west, south, east, north, attribution: plain(one.attribution || ""),
    };
  };
  quadrille.snippet = (id, form) => forms[form](facts(quadrille.catalogue.tilesets.find((one) => one.id === id)));

  /// Puts a text on the clipboard; false where that is not allowed.
  quadrille.copy = async (words) => {
    try {
      await navigator.clipboard.writeText(words);
      return true;
    } catch {
      // Pages that are not from a secure origin have no clipboard of their own.
      const area = make("textarea", { class: "hidden-text", "aria-hidden": "true", tabindex: "-1" });
      area.value = words;
      document.body.append(area);
      area.select();
      const isDone = document.execCommand("copy");
      area.remove();
      return isDone;
    }
  };

  /// The buttons of a tileset, and the text that was copied last.
  quadrille.snippetPart = (one) => {
    const shown = make("pre", { tabindex: "0", hidden: "", "aria-label": "The copied text" });
    const buttons = Object.keys(forms).map((form) => {
      const button = make("button", { type: "button" }, form);
      button.addEventListener("click", async () => {
        const words = quadrille.snippet(one.id, form);
        const isDone = await quadrille.copy(words);
        button.focus();
        shown.textContent = words;
        shown.hidden = false;
        element("tap-result").textContent = isDone ? `The snippet for ${form} is copied.` : "The clipboard cannot be written; copy the text below.";
        for (const other of buttons) other.removeAttribute("data-copied");
        if (isDone) button.dataset.copied = "";
      });
      return button;
    });
    return make("details", {}, make("summary", {}, "Use it elsewhere"), make("p", {}, "Copy what shows these tiles in"), make("div", { class: "snippets" }, ...buttons), shown);
  };
})();
