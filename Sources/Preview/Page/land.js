"use strict";
// The land under the map, drawn from a table of outlines, at every zoom and on every copy of the world.
(() => {
  const { state, onChange, element, map, color } = quadrille;

  /// The zoom up to which the outlines are shown as they are; three zooms later, where their errors would be larger than
  /// what they show, the ground has the colour of the land.
  const lastSharpZoom = 6;
  const lastOutlineZoom = 9;
  const ending = `no land beyond zoom ${lastOutlineZoom - 1}`;

  /// A position in shares of the world's width, from the north-western corner.
  const place = (lng, lat) => {
    const sine = Math.sin((Math.max(Math.min(lat, 85.0511), -85.0511) * Math.PI) / 180);
    return [lng / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
  };

  const lines = (text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

  /// A ring or line of the table: its points, and the box around them.
  const outline = (text) => {
    const points = text.split(" ").map((pair) => place(...pair.split(",").map(Number)));
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    return { points, west: Math.min(...xs), east: Math.max(...xs), north: Math.min(...ys), south: Math.max(...ys) };
  };

  const outlines = { land: [], lake: [], border: [] };
  const readLand = (text) => {
    for (const line of lines(text)) {
      const [head, rest] = line.split(": ");
      outlines[head.slice(0, head.indexOf(" "))].push(outline(rest));
    }
  };

  /// Traces a line with its corners rounded from a quarter of each side, so that it looks drawn and not cut.
  const round = (context, points, closes) => {
    const between = ([x, y], [u, v], share) => [x + (u - x) * share, y + (v - y) * share];
    const count = points.length;
    const at = (i) => points[(i + count) % count];
    context.moveTo(...(closes ? between(at(0), at(1), 0.25) : at(0)));
    for (let i = 1; i <= (closes ? count : count - 2); i++) {
      context.lineTo(...between(at(i), at(i - 1), 0.25));
      context.quadraticCurveTo(...at(i), ...between(at(i), at(i + 1), 0.25));
    }
    if (closes) context.closePath();
    else context.lineTo(...at(count - 1));
  };

  /// Traces what reaches a tile; a copy of the world begins at each whole number.
  const trace = (context, all, box, scale, closes) => {
    for (const one of all) {
      if (one.south < box.y || one.north > box.y + box.side) continue;
      for (const shift of [-1, 0, 1]) {
        if (one.east + shift < box.x || one.west + shift > box.x + box.side) continue;
        round(context, one.points.map(([x, y]) => [(x + shift - box.x) * scale, (y - box.y) * scale]), closes);
      }
    }
  };

  const drawLand = (context, box, zoom) => {
    const scale = 256 / box.side;
    const fill = (kind, name) => {
      context.beginPath();
      trace(context, outlines[kind], box, scale, true);
      context.fillStyle = color(name);
      context.fill();
      context.lineWidth = 1;
      context.strokeStyle = color("--coast");
      context.stroke();
    };
    context.lineJoin = "round";
    context.fillStyle = color("--water");
    context.fillRect(0, 0, 256, 256);
    fill("land", "--land");
    // Borders end in the sea, where they are not drawn.
    context.save();
    context.beginPath();
    trace(context, outlines.land, box, scale, true);
    context.clip();
    context.beginPath();
    trace(context, outlines.border, box, scale, false);
    context.strokeStyle = color("--frontier");
    context.lineWidth = zoom < 3 ? 0.7 : 1;
    context.stroke();
    context.restore();
    fill("lake", "--water");
    context.globalAlpha = Math.max(0, (zoom - lastSharpZoom) / (lastOutlineZoom - lastSharpZoom));
    context.fillStyle = color("--land");
    context.fillRect(0, 0, 256, 256);
    context.globalAlpha = 1;
  };

  const Land = L.GridLayer.extend({
    createTile(coords) {
      const ratio = Math.ceil(devicePixelRatio || 1);
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 256 * ratio;
      const context = canvas.getContext("2d");
      context.scale(ratio, ratio);
      const side = 1 / 2 ** coords.z;
      const box = { x: coords.x * side, y: coords.y * side, side };
      if (coords.z < lastOutlineZoom) {
        drawLand(context, box, coords.z);
      } else {
        context.fillStyle = color("--land");
        context.fillRect(0, 0, 256, 256);
      }
      return canvas;
    },
  });

  const layer = new Land({ pane: "ground", keepBuffer: 1, zIndex: 1 });
  const apply = () => {
    // Before the catalogue is read the map has no view of its own, and the whole world would be drawn in vain.
    const isShown = quadrille.catalogue !== null && state.land && outlines.land.length > 0 && !quadrille.isCovered;
    element("map").classList.toggle("land", isShown);
    if (!isShown) layer.remove();
    else if (map.hasLayer(layer)) layer.redraw();
    else layer.addTo(map);
    quadrille.drawNames();
  };
  quadrille.showLand = apply;
  /// Says where the land ends, so that a plain ground is not taken for a place without water and roads.
  const tellEnd = () => {
    quadrille.attribution.removeAttribution(ending);
    if (map.hasLayer(layer) && map.getZoom() >= lastOutlineZoom && !quadrille.hasGround()) quadrille.attribution.addAttribution(ending);
  };
  map.on("moveend layeradd layerremove", tellEnd);
  onChange((changes) => { if ("land" in changes || "theme" in changes) apply(); });

  /// Reads a table of the page; without it the map has a plain ground.
  const table = (name) => fetch(name).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  quadrille.landReady = Promise.all([table("land.txt"), table("places.txt")]).then(([land, places]) => {
    readLand(land);
    quadrille.readPlaces(lines(places), place);
    apply();
  });
})();
