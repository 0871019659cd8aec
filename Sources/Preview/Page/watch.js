"use strict";
// With --watch: asks the server whether the map was built again, and shows it without losing the view.
(() => {
  const { element } = quadrille;
  const interval = 1000;
  let generation = null;

  const tell = (told) => {
    const failure = element("failure");
    const banner = element("banner");
    banner.hidden = !told.error && !told.building;
    banner.classList.toggle("error", Boolean(told.error));
    const words = told.error ? `${told.error} The last map stays.` : "Building …";
    if (!banner.hidden && banner.textContent !== words) banner.textContent = words;
    if (failure.hidden === false && !told.error) failure.hidden = true;
  };

  const ask = async () => {
    try {
      const answer = await fetch("watch.json");
      if (!answer.ok) return;
      const told = await answer.json();
      tell(told);
      if (generation !== null && told.generation !== generation) await quadrille.reload();
      generation = told.generation;
    } catch {
      tell({ error: "The preview's program has ended." });
    } finally {
      setTimeout(ask, interval);
    }
  };
  quadrille.startWatching = () => { if (quadrille.catalogue.watch) ask(); };
})();
