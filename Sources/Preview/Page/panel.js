"use strict";
// The panel beside the map: a part for each tileset, and the options; at the end the page starts.
(() => {
  const { state, set, onChange, element, make, map } = quadrille;

  const showing = (id) => quadrille.shownTilesets().some((one) => one.id === id);
  /// The order of the panel: what is shown first, the topmost on top, then the rest.
  const ordered = () => {
    const shown = quadrille.shownTilesets();
    return [...shown, ...quadrille.catalogue.tilesets.filter((one) => !shown.includes(one))];
  };
  const ids = () => quadrille.shownTilesets().map((one) => one.id);

  const toggle = (id) => set({ shown: showing(id) ? ids().filter((one) => one !== id) : [id, ...ids()] });
  const raise = (id) => {
    const list = ids();
    const at = list.indexOf(id);
    if (at <= 0) return;
    [list[at - 1], list[at]] = [list[at], list[at - 1]];
    set({ shown: list });
    element(`raise-${id}`)?.focus();
  };
  const setSide = (id, side) => {
    const right = ids().filter((one) => quadrille.side(one) === "right" && one !== id);
    set({ right: side === "right" ? [...right, id] : right });
  };

  /// Shows all of a tileset, or the box in which nearly all of its data lie.
  const frame = (one, box = one.bounds) => {
    const offset = one.tileSize === 512 ? 1 : 0;
    quadrille.showBox(box, one.minzoom && one.minzoom + offset, one.maxzoom + offset);
  };
  quadrille.frame = (id) => frame(quadrille.catalogue.tilesets.find((one) => one.id === id));

  const facts = (one) => {
    const parts = [`zoom ${one.minzoom}–${one.maxzoom}`, one.densities.map((density) => `@${density.scale}x`).join(" ")];
    if (one.tileSize !== 256) parts.push(`${one.tileSize} px`);
    if (one.series) parts.push(`${one.series.frames.length} frames`);
    if (one.taps) parts.push("taps");
    return parts.join(" · ");
  };

  const reportPart = (one) => {
    const details = make("details", {}, make("summary", {}, "Numbers of the build"));
    details.addEventListener("toggle", async () => {
      if (!details.open || details.dataset.loaded) return;
      details.dataset.loaded = "1";
      const report = await fetch(one.report).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      details.append(report ? quadrille.reportTables(report) : make("p", {}, "The report cannot be read."));
    });
    return details;
  };

  const part = (one, position) => {
    const box = make("input", { type: "checkbox", id: `show-${one.id}` });
    box.checked = showing(one.id);
    box.addEventListener("change", () => { toggle(one.id); element(`show-${one.id}`).focus(); });
    const zoomTo = make("button", { type: "button", "aria-label": `Show all of ${one.title}` }, "⤢");
    zoomTo.addEventListener("click", () => frame(one));
    const up = make("button", { type: "button", id: `raise-${one.id}`, "aria-label": `Raise ${one.title}` }, "↑");
    up.addEventListener("click", () => raise(one.id));
    if (!showing(one.id) || position === 0) up.disabled = true;
    const opacity = make("input", { type: "range", min: 0, max: 100, step: 5, id: `opacity-${one.id}` });
    opacity.value = one.id in state.opacity ? state.opacity[one.id] : 100;
    opacity.addEventListener("input", () => set({ opacity: { ...state.opacity, [one.id]: Number(opacity.value) } }));
    const side = make("select", { id: `side-${one.id}` }, make("option", { value: "left" }, "left"), make("option", { value: "right" }, "right"));
    side.value = quadrille.side(one.id);
    side.addEventListener("change", () => { setSide(one.id, side.value); element(`side-${one.id}`).focus(); });
    const controls = make("div", { class: "controls" }, make("label", {}, "Opacity ", opacity));
    if (state.swipe !== null && showing(one.id)) controls.append(make("label", {}, "Side ", side));
    const section = make(
      "section", { class: "layer", id: `layer-${one.id}`, "aria-label": one.title },
      make("div", { class: "head" }, make("label", {}, box, make("h2", {}, one.title)), make("span", { class: "order" }, zoomTo, up)),
      ...(one.description ? [make("p", {}, one.description)] : []), make("p", { class: "facts" }, facts(one)), controls);
    if (one.look && quadrille.catalogue.token) controls.append(quadrille.pictureButton(one));
    section.append(one.legend ? quadrille.legendPart(one) : quadrille.coloursPart(one));
    if (one.look) section.append(quadrille.lookPart(one));
    if (one.taps) section.append(quadrille.tablePart(one));
    section.append(quadrille.snippetPart(one));
    if (one.report) section.append(reportPart(one));
    return section;
  };

  let parts = new Map();
  const draw = () => {
    const open = new Set([...element("layers").querySelectorAll(".layer")].flatMap((section) =>
      [...section.querySelectorAll("details[open] > summary")].map((summary) => `${section.id} ${summary.textContent}`)));
    const known = parts;
    parts = new Map(ordered().map((one, position) => [one.id, part(one, position)]));
    for (const [id, section] of parts) {
      // What was opened or closed stays so when the panel is drawn again.
      if (!known.has(id)) continue;
      for (const details of section.querySelectorAll("details")) details.open = open.has(`${section.id} ${details.firstChild.textContent}`);
    }
    element("layers").replaceChildren(...parts.values());
    quadrille.readColours();
  };

  const controls = () => {
    element("theme").value = state.theme;
    element("density").value = state.density;
    element("borders").checked = state.borders;
    element("graticule").checked = state.graticule;
    element("land").checked = state.land;
    element("compare").checked = state.swipe !== null;
    element("compare-label").hidden = !quadrille.canCompare();
  };
  for (const [id, key, value] of [
    ["theme", "theme", (control) => control.value], ["density", "density", (control) => control.value],
    ["borders", "borders", (control) => control.checked], ["graticule", "graticule", (control) => control.checked],
    ["land", "land", (control) => control.checked],
    ["compare", "swipe", (control) => (control.checked ? 50 : null)],
  ]) {
    element(id).addEventListener("change", () => set({ [key]: value(element(id)) }));
  }

  let hadSwipe = state.swipe !== null;
  onChange((changes) => {
    controls();
    if (!quadrille.catalogue) return;
    if (state.swipe !== null && !quadrille.canCompare()) return set({ swipe: null });
    if ("opacity" in changes) {
      for (const one of quadrille.catalogue.tilesets) {
        const slider = element(`opacity-${one.id}`);
        if (slider) slider.value = one.id in state.opacity ? state.opacity[one.id] : 100;
      }
    }
    const hasSwipe = state.swipe !== null;
    if ("shown" in changes || "right" in changes || hasSwipe !== hadSwipe) draw();
    hadSwipe = hasSwipe;
  });

  const readCatalogue = async () => {
    const answer = await fetch("catalogue.json");
    if (!answer.ok) throw new Error((await answer.text()).trim() || `catalogue.json: ${answer.status}`);
    quadrille.catalogue = await answer.json();
    const title = quadrille.catalogue.tilesets.map((one) => one.title).join(", ");
    document.title = `${title} – Quadrille preview`;
    element("title").textContent = title;
    quadrille.collectSlots();
    if (!quadrille.canCompare()) state.swipe = null;
  };

  const drawAll = () => {
    quadrille.showLayers();
    quadrille.showBorders();
    quadrille.offerSearch();
    controls();
    draw();
  };

  /// Shows what was built anew where the map is.
  quadrille.reload = async () => {
    await readCatalogue();
    quadrille.dropLayers();
    quadrille.forgetTaps();
    quadrille.forgetLooks();
    drawAll();
    quadrille.repaintAll();
  };

  const start = async () => {
    await readCatalogue();
    const tilesets = quadrille.catalogue.tilesets;
    // Leaflet asks for the keys of a map that has the focus only once it was clicked.
    element("map").tabIndex = 0;
    const first = quadrille.shownTilesets()[0] || tilesets[0];
    if (state.view === null) frame(first, first.focus);
    else quadrille.showView(state.view, state.view.zoom);
    drawAll();
    quadrille.repaintAll();
    quadrille.showLand();
    quadrille.startWatching();
    await Promise.all([quadrille.landReady, quadrille.showUnder()]);
    performance.mark("ready");
  };
  quadrille.ready = start().catch((error) => {
    const failure = element("failure");
    failure.hidden = false;
    failure.textContent = `The preview cannot start: ${error.message}`;
    throw error;
  });
})();
