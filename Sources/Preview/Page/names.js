"use strict";
// The names of places on the ground. They give way to the data: a name that tiles reach into is left out.
(() => {
  const { state, map, make, color } = quadrille;
  const canvas = make("canvas", { class: "leaflet-zoom-hide", "aria-hidden": "true" });
  map.getPane("names").append(canvas);
  const gone = new Set(); // names that gave way since the map moved; frames of a series shall not make them flicker

  const family = "system-ui, DejaVu Sans, sans-serif";
  const fontOf = (one) => (one.isCountry ? `600 12px ${family}` : `11px ${family}`);

  /// The names that find room in a view, with their boxes in px of the stage; the more important come first.
  const placed = (context, frame) => {
    const zoom = map.getZoom();
    const level = Math.round(zoom);
    const origin = map.getPixelBounds().min;
    const world = 256 * 2 ** zoom;
    const found = [];
    for (const one of quadrille.places) {
      if (level < one.from || level > one.to) continue;
      for (const shift of [-1, 0, 1]) {
        const [x, y] = [(one.x + shift) * world - origin.x, one.y * world - origin.y];
        if (x < -frame.x || y < -frame.y || x > frame.x + frame.width || y > frame.y + frame.height) continue;
        context.font = fontOf(one);
        const width = context.measureText(one.name).width;
        const left = one.isCountry ? x - width / 2 : x - 4;
        const box = { left, right: left + width + (one.isCountry ? 0 : 10), top: y - 9, bottom: y + 9 };
        const isTaken = found.some(({ box: other }) => box.left < other.right + 6 && other.left < box.right + 6
          && box.top < other.bottom && other.top < box.bottom);
        if (!isTaken) found.push({ one, box, x, y, key: `${one.name} ${one.country} ${shift}` });
      }
    }
    return found;
  };

  const cells = 64;
  const faint = 24; // of 255: what is fainter hides no name
  const masks = new WeakMap(); // image: the opacity of its cells
  const scratch = make("canvas", { width: cells, height: cells }).getContext("2d", { willReadFrequently: true });
  const maskOf = (image) => {
    if (!masks.has(image)) {
      scratch.clearRect(0, 0, cells, cells);
      scratch.drawImage(image, 0, 0, cells, cells);
      masks.set(image, scratch.getImageData(0, 0, cells, cells).data.filter((_, i) => i % 4 === 3));
    }
    return masks.get(image);
  };

  /// Whether a tile at a place of the stage has something in a box.
  const reaches = ({ image, left, top, side }, box) => {
    const cell = (value) => Math.floor((value * cells) / side);
    const [first, last] = [Math.max(cell(box.left - left), 0), Math.min(cell(box.right - left), cells - 1)];
    const [upper, lower] = [Math.max(cell(box.top - top), 0), Math.min(cell(box.bottom - top), cells - 1)];
    if (first > last || upper > lower) return false;
    const mask = maskOf(image);
    for (let row = upper; row <= lower; row++) {
      for (let column = first; column <= last; column++) if (mask[row * cells + column] > faint) return true;
    }
    return false;
  };

  const tilesInView = () => {
    const stage = map.getContainer().getBoundingClientRect();
    return quadrille.shownImages().map((image) => {
      const box = image.getBoundingClientRect();
      return { image, left: box.left - stage.left, top: box.top - stage.top, side: box.width };
    });
  };

  const write = (context, { one, x, y }) => {
    context.font = fontOf(one);
    context.textAlign = one.isCountry ? "center" : "left";
    const at = one.isCountry ? x : x + 6;
    context.lineWidth = 3;
    context.strokeStyle = color("--land");
    context.strokeText(one.name, at, y);
    context.fillStyle = color(one.isCountry ? "--country" : "--place");
    context.fillText(one.name, at, y);
    if (one.isCountry) return;
    context.beginPath();
    context.arc(x, y, 2, 0, 2 * Math.PI);
    context.fill();
  };

  /// Writes the names of the view that no data cover.
  const draw = () => {
    const isShown = quadrille.catalogue !== null && state.land && !quadrille.isCovered && !quadrille.hasGround();
    canvas.hidden = !isShown;
    if (!isShown) return;
    const size = map.getSize();
    const frame = { x: size.x / 4, y: size.y / 4, width: size.x * 1.5, height: size.y * 1.5 };
    const ratio = Math.ceil(devicePixelRatio || 1);
    canvas.width = frame.width * ratio;
    canvas.height = frame.height * ratio;
    canvas.style.width = `${frame.width}px`;
    canvas.style.height = `${frame.height}px`;
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([-frame.x, -frame.y]));
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, frame.x * ratio, frame.y * ratio);
    context.lineJoin = "round";
    context.textBaseline = "middle";
    const tiles = tilesInView();
    for (const name of placed(context, frame)) {
      if (tiles.some((tile) => reaches(tile, name.box))) gone.add(name.key);
      if (!gone.has(name.key)) write(context, name);
    }
  };
  quadrille.drawNames = draw;
  map.on("moveend resize", () => { gone.clear(); draw(); });
  quadrille.onChange((changes) => {
    if (["shown", "opacity", "density", "right", "swipe"].some((key) => key in changes)) gone.clear();
    else if (!("time" in changes)) return;
    draw();
  });
})();
