"use strict";
// Images have no legend in their archive. Where they consist of a few colours, such as the classes of a radar, these are shown.
(() => {
  const { make, element } = quadrille;
  const most = 16; // colours; more are a picture and no classes
  const whole = 0.97; // the least share of the covered pixels that these colours have
  const side = 256;
  const counts = new WeakMap(); // image: Map(colour as a number: pixels)
  const scratch = make("canvas", { width: side, height: side }).getContext("2d", { willReadFrequently: true });
  scratch.imageSmoothingEnabled = false;

  const countOf = (image) => {
    if (!counts.has(image)) {
      scratch.clearRect(0, 0, side, side);
      scratch.drawImage(image, 0, 0, side, side);
      const pixels = new Uint32Array(scratch.getImageData(0, 0, side, side).data.buffer);
      const count = new Map();
      for (const pixel of pixels) if (pixel >>> 24 !== 0) count.set(pixel, (count.get(pixel) || 0) + 1);
      counts.set(image, count);
    }
    return counts.get(image);
  };

  /// The colours of the tiles of a tileset in view, the most frequent first, with their shares; nothing for other pictures.
  const classes = (id) => {
    const all = new Map();
    for (const image of quadrille.shownImages(id)) for (const [pixel, count] of countOf(image)) all.set(pixel, (all.get(pixel) || 0) + count);
    const total = [...all.values()].reduce((sum, count) => sum + count, 0);
    const top = [...all].sort((a, b) => b[1] - a[1]).slice(0, most).map(([pixel, count]) => ({ pixel, share: count / total }));
    return top.reduce((sum, one) => sum + one.share, 0) >= whole ? top.filter((one) => one.share >= 0.001) : [];
  };

  const css = (pixel) => `rgba(${pixel & 255}, ${(pixel >>> 8) & 255}, ${(pixel >>> 16) & 255}, ${((pixel >>> 24) / 255).toFixed(3)})`;
  const row = ({ pixel, share }) => {
    const chip = make("span", { class: "chip", "aria-hidden": "true" });
    chip.style.background = css(pixel);
    return make("li", {}, chip, make("span", {}, `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`));
  };

  const hasNone = (one) => !one.legend && !one.taps;

  /// The place for the colours of a tileset without a legend.
  quadrille.coloursPart = (one) => {
    const part = make("details", { open: "", hidden: "", id: `colours-${one.id}` }, make("summary", {}, "Colours in this view"));
    part.append(make("p", {}, "The archive has no legend of its images: these are their colours, by the share of the covered area."), make("ul", { class: "legend-rows chips" }));
    return part;
  };

  /// Reads the colours of what is in view.
  quadrille.readColours = () => {
    if (quadrille.isPlaying) return;
    for (const one of quadrille.catalogue.tilesets.filter(hasNone)) {
      const part = element(`colours-${one.id}`);
      if (!part) continue;
      const found = classes(one.id);
      part.hidden = found.length === 0;
      part.querySelector("ul").replaceChildren(...found.map(row));
    }
  };
})();
