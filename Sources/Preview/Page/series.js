"use strict";
// Time: the instants of all series on one slider, gaps among them, and the player.
(() => {
  const { state, set, onChange, element } = quadrille;
  const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const instant = (text) => Date.parse(text);
  const two = (number) => String(number).padStart(2, "0");

  /// Weekday, date and time in UTC.
  quadrille.timeLabel = (milliseconds) => {
    const date = new Date(milliseconds);
    const seconds = date.getUTCSeconds() === 0 ? "" : `:${two(date.getUTCSeconds())}`;
    return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} `
      + `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}${seconds} UTC`;
  };

  /// The slider's slots: {at, gap: null or "hold" or "skip"}, in the order of time.
  quadrille.slots = [];
  let index = 0;
  let timer = 0;

  /// The most instants without a frame that get slots of their own.
  const missingLimit = 2000;

  const seriesShown = () => quadrille.shownTilesets().filter((one) => one.series);

  const collect = () => {
    const slots = new Map();
    for (const one of seriesShown()) {
      for (const frame of one.series.frames) slots.set(instant(frame.time), null);
    }
    for (const one of seriesShown()) {
      for (const gap of one.series.gaps) {
        const from = instant(gap.from);
        const step = (instant(gap.to) - from) / (gap.missing + 1);
        for (let n = 1; n <= Math.min(gap.missing, missingLimit); n++) {
          const at = from + n * step;
          if (!slots.has(at)) slots.set(at, gap.policy);
        }
      }
    }
    return [...slots].map(([at, gap]) => ({ at, gap })).sort((a, b) => a.at - b.at);
  };

  /// The frame of a series at an instant: the last one not after it; none inside a gap that is skipped.
  const frameAt = (one, at) => {
    const inside = one.series.gaps.find((gap) => instant(gap.from) < at && at < instant(gap.to));
    if (inside && inside.policy !== "hold") return null;
    let found = null;
    for (const frame of one.series.frames) if (instant(frame.time) <= at) found = frame.frame;
    return found;
  };

  /// What a series shows now, and what it shows next.
  quadrille.frameOf = (one) => {
    const slot = quadrille.slots[index];
    if (!slot) return { frame: null, next: null };
    const next = quadrille.slots[following(index)];
    return { frame: frameAt(one, slot.at), next: next ? frameAt(one, next.at) : null };
  };

  const loops = () => (state.loop === null ? seriesShown().every((one) => one.series.loop) : state.loop);
  const following = (from) => {
    let to = from + 1;
    while (to < quadrille.slots.length && quadrille.slots[to].gap === "skip") to++;
    return to < quadrille.slots.length ? to : 0;
  };

  const describe = () => {
    const slot = quadrille.slots[index];
    const label = element("moment-label");
    if (!slot) return;
    const text = quadrille.timeLabel(slot.at);
    const [day, date, month, year, ...rest] = text.split(" ");
    const wide = (words) => quadrille.make("span", { class: "wide" }, words);
    // A phone shows neither weekday nor year.
    label.replaceChildren(wide(`${day} `), `${date} ${month} `, wide(`${year} `), rest.join(" "));
    let spoken = text;
    if (slot.gap !== null) {
      label.append(quadrille.make("span", { class: "gap" }, " · gap", ...(slot.gap === "hold" ? [wide(", held")] : [])));
      spoken += slot.gap === "hold" ? ", no frame, the last one stays" : ", no frame";
    }
    element("moment").value = index;
    element("moment").setAttribute("aria-valuetext", spoken);
  };

  const drawGaps = () => {
    const last = quadrille.slots.length - 1;
    element("gaps").replaceChildren(...quadrille.slots.flatMap((slot, n) => {
      if (slot.gap === null) return [];
      const mark = quadrille.make("span");
      mark.style.left = `${(n / Math.max(1, last)) * 100}%`;
      return [mark];
    }));
  };

  /// Shows a slot.
  quadrille.seek = (to) => {
    if (quadrille.slots.length === 0) return;
    index = Math.min(Math.max(to, 0), quadrille.slots.length - 1);
    describe();
    set({ time: new Date(quadrille.slots[index].at).toISOString().replace(".000Z", "Z") });
  };
  Object.defineProperty(quadrille, "slot", { get: () => index });

  const duration = () => {
    const first = seriesShown()[0];
    return (first ? first.series.frameDuration : 1000) / state.speed;
  };
  const tick = () => {
    const next = following(index);
    if (next === 0 && !loops()) return quadrille.pause();
    quadrille.seek(next);
    timer = setTimeout(tick, duration());
  };
  const tellPlay = (isPlaying) => {
    element("play").setAttribute("aria-pressed", String(isPlaying));
    element("play").replaceChildren(
      quadrille.make("span", { "aria-hidden": "true" }, isPlaying ? "❚❚" : "▶"), quadrille.make("span", { class: "wide" }, isPlaying ? " Pause" : " Play"));
  };
  quadrille.play = () => {
    if (timer !== 0 || quadrille.slots.length < 2) return;
    if (following(index) === 0 && !loops()) quadrille.seek(0);
    tellPlay(true);
    // Nobody wants every frame read aloud.
    element("moment-label").setAttribute("aria-live", "off");
    timer = setTimeout(tick, duration());
  };
  quadrille.pause = () => {
    clearTimeout(timer);
    timer = 0;
    tellPlay(false);
    element("moment-label").setAttribute("aria-live", "polite");
  };
  Object.defineProperty(quadrille, "isPlaying", { get: () => timer !== 0 });

  /// Finds the slots of what is shown, and the one to begin with.
  quadrille.collectSlots = () => {
    quadrille.slots = collect();
    const shown = seriesShown();
    element("time").hidden = shown.length === 0;
    element("pace").hidden = shown.length === 0;
    element("stage").classList.toggle("timed", shown.length > 0);
    if (shown.length === 0) return quadrille.pause();
    element("moment").max = quadrille.slots.length - 1;
    element("loop").checked = loops();
    element("speed").value = String(state.speed);
    const wanted = instant(state.time === null ? shown[0].series.default : state.time);
    const found = quadrille.slots.findIndex((slot) => slot.at >= wanted);
    index = found < 0 ? quadrille.slots.length - 1 : found;
    drawGaps();
    describe();
  };

  element("play").addEventListener("click", () => (timer === 0 ? quadrille.play() : quadrille.pause()));
  element("previous").addEventListener("click", () => { quadrille.pause(); quadrille.seek(index === 0 ? quadrille.slots.length - 1 : index - 1); });
  element("next").addEventListener("click", () => { quadrille.pause(); quadrille.seek((index + 1) % quadrille.slots.length); });
  element("moment").addEventListener("input", () => { quadrille.pause(); quadrille.seek(Number(element("moment").value)); });
  element("loop").addEventListener("change", () => set({ loop: element("loop").checked }));
  element("speed").addEventListener("change", () => set({ speed: Number(element("speed").value) }));
  onChange((changes) => {
    if (!quadrille.catalogue) return;
    if ("shown" in changes) quadrille.collectSlots();
    else if ("time" in changes && state.time !== null) {
      const found = quadrille.slots.findIndex((slot) => slot.at >= instant(state.time));
      if (found >= 0 && found !== index) { index = found; describe(); }
    }
  });
})();
