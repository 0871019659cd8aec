"use strict";
// The swipe: layers of the left end at the handle, those of the right begin there.
(() => {
  const { state, set, onChange, element, map } = quadrille;
  const handle = element("swipe");

  /// Cuts both panes at the handle; panes move with the map, so their cuts move against it.
  quadrille.clipSides = () => {
    handle.hidden = state.swipe === null || !quadrille.canCompare();
    const panes = [map.getPane("left"), map.getPane("right")];
    if (handle.hidden) {
      for (const pane of panes) pane.style.clipPath = "";
      return;
    }
    const size = map.getSize();
    const x = (size.x * state.swipe) / 100;
    handle.style.left = `${x}px`;
    handle.setAttribute("aria-valuenow", Math.round(state.swipe));
    handle.setAttribute("aria-valuetext", `${Math.round(state.swipe)} percent of the map shows the left layers`);
    const box = (from, to) => {
      const start = map.containerPointToLayerPoint([from, 0]);
      const end = map.containerPointToLayerPoint([to, size.y]);
      return `polygon(${start.x}px ${start.y}px, ${end.x}px ${start.y}px, ${end.x}px ${end.y}px, ${start.x}px ${end.y}px)`;
    };
    panes[0].style.clipPath = box(0, x);
    panes[1].style.clipPath = box(x, size.x);
  };
  map.on("move zoom zoomend resize viewreset", quadrille.clipSides);

  const moveTo = (percent) => set({ swipe: Math.min(Math.max(percent, 0), 100) });
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.focus();
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = element("map").getBoundingClientRect();
    moveTo(((event.clientX - box.left) / box.width) * 100);
  });
  handle.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 10 : 2;
    const to = {
      ArrowLeft: state.swipe - step, ArrowDown: state.swipe - step, ArrowRight: state.swipe + step, ArrowUp: state.swipe + step,
      PageDown: state.swipe - 20, PageUp: state.swipe + 20, Home: 0, End: 100,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(to);
  });
  onChange((changes) => { if ("swipe" in changes) quadrille.clipSides(); });
})();
