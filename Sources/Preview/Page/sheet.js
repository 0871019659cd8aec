"use strict";
// On a phone the panel is a sheet over the map: closed to its heading, a third, or nearly all of the screen.
(() => {
  const { element } = quadrille;
  const phone = matchMedia("(max-width: 800px)");
  const panel = element("panel");
  const handle = element("handle");
  const peek = 60;
  let height = peek;

  const steps = () => [peek, Math.round(innerHeight / 3), Math.round(innerHeight * 0.85)];

  const put = (to) => {
    const [, , most] = steps();
    height = Math.min(Math.max(to, peek), most);
    const isOpen = height > peek;
    panel.style.height = phone.matches ? `${height}px` : "";
    panel.classList.toggle("closed", phone.matches && !isOpen);
    // What is out of sight is out of reach for keys and readers, too.
    element("panel-body").inert = phone.matches && !isOpen;
    handle.setAttribute("aria-expanded", String(isOpen));
    handle.setAttribute("aria-label", isOpen ? "Close the panel" : "Open the panel");
  };

  quadrille.openSheet = () => { if (height === peek) put(steps()[1]); };
  quadrille.closeSheet = () => { if (phone.matches) put(peek); };

  let start = null;
  handle.addEventListener("pointerdown", (event) => {
    start = { y: event.clientY, height, moved: false };
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (start === null) return;
    if (Math.abs(event.clientY - start.y) > 6) start.moved = true;
    if (start.moved) put(start.height + start.y - event.clientY);
  });
  handle.addEventListener("pointerup", () => {
    if (start === null) return;
    if (start.moved) {
      const all = steps();
      put(all.reduce((best, step) => (Math.abs(step - height) < Math.abs(best - height) ? step : best)));
    }
  });
  handle.addEventListener("pointercancel", () => { start = null; });
  handle.addEventListener("click", () => {
    const wasDragged = start !== null && start.moved;
    start = null;
    if (!wasDragged) put(height > peek ? peek : steps()[1]);
  });
  handle.addEventListener("keydown", (event) => {
    const all = steps();
    const at = all.findIndex((step) => step >= height - 1);
    const to = { ArrowUp: all[Math.min(at + 1, 2)], ArrowDown: all[Math.max(at - 1, 0)] }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    put(to);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !phone.matches || height === peek) return;
    put(peek);
    handle.focus();
  });
  document.querySelector(".skip").addEventListener("click", () => quadrille.openSheet());

  // Loop and speed have no room in the player's line; there they stand among the options.
  const place = () => {
    (phone.matches ? element("options") : element("time")).append(element("pace"));
    put(peek);
  };
  phone.addEventListener("change", place);
  addEventListener("resize", () => put(height));
  place();
})();
