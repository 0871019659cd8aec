/// The style sheet of a report: light or dark, following the reader's system.
enum ReportStyleSheet {
  /// The rules; colours have a contrast of at least 4.5 to 1 on their background.
  static let text = """
    :root { color-scheme: light dark;
      --ground: #fbfaf8; --card: #ffffff; --ink: #22252a; --soft: #5c6370; --line: #dcd9d3;
      --accent: #b8401a; --good: #1d6b3a; --bar: #e08a5f; --check-a: #ffffff; --check-b: #e9e7e2; }
    @media (prefers-color-scheme: dark) { :root {
      --ground: #16181c; --card: #1f2227; --ink: #e7e5e0; --soft: #a3a9b4; --line: #383c44;
      --accent: #ff9568; --good: #6fcf91; --bar: #a4542f; --check-a: #3a3f47; --check-b: #30343b; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    main, nav, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
    nav ul { list-style: none; padding: 1rem 0 0; margin: 0; display: flex; flex-wrap: wrap;
      gap: 0 1.5rem; }
    a { color: var(--accent); }
    a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent);
      outline-offset: 2px; }
    article + article { border-top: 2px solid var(--line); margin-top: 3rem; }
    header { padding: 2rem 0 .5rem; }
    h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
    h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
    .result { display: inline-block; font-size: .85rem; font-weight: 600; margin-left: .6rem;
      padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 1rem;
      vertical-align: middle; color: var(--good); }
    .result.skipped { color: var(--accent); }
    .soft, footer { color: var(--soft); }
    .path { overflow-wrap: anywhere; margin: .3rem 0 0; }
    .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr));
      gap: .75rem; margin: 1rem 0 0; }
    .facts div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
      padding: .6rem .8rem; }
    .facts dt { color: var(--soft); font-size: .8rem; }
    .facts dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
    .notes { border-left: 4px solid var(--accent); margin: 1rem 0; padding: .2rem 1rem;
      background: var(--card); }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; background: var(--card); border: 1px solid var(--line);
      min-width: 100%; font-variant-numeric: tabular-nums; }
    caption { text-align: left; color: var(--soft); font-size: .85rem; padding: .2rem 0; }
    th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
    thead th { color: var(--soft); font-weight: 600; font-size: .85rem; white-space: nowrap; }
    tbody th { font-weight: 600; }
    tfoot th, tfoot td { font-weight: 600; border-top: 2px solid var(--line); }
    .number { text-align: right; white-space: nowrap; }
    .text { text-align: left; }
    td.text { overflow-wrap: anywhere; min-width: 9rem; }
    .scroll + .scroll, .scroll + .sheet { margin-top: 1rem; }
    .bar { display: block; background: var(--line); border-radius: .25rem; height: .8rem;
      min-width: 8rem; margin-top: .3rem; }
    .bar span { display: block; background: var(--bar); border-radius: .25rem; height: 100%; }
    .sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; }
    .pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; }
    .zoom { display: grid; grid-template-columns: repeat(3, minmax(0, 16rem)); gap: 1rem;
      margin-bottom: 1rem; }
    figure { margin: 0; }
    figcaption { font-size: .8rem; color: var(--soft); overflow-wrap: anywhere; }
    figcaption b { color: var(--ink); font-weight: 600; }
    .tile { width: 100%; max-width: 16rem; aspect-ratio: 1; display: block;
      border: 1px solid var(--line);
      background: repeating-conic-gradient(var(--check-b) 0 25%, var(--check-a) 0 50%) 0 0/16px 16px; }
    .none { display: flex; align-items: center; justify-content: center; color: var(--soft);
      text-align: center; font-size: .85rem; padding: .5rem; }
    .both { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
    pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
      padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; line-height: 1.45; tab-size: 2; }
    code, pre, .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
    .mono { font-size: .85rem; overflow-wrap: anywhere; }
    details { margin: .5rem 0; }
    summary { cursor: pointer; font-weight: 600; }
    footer { padding-top: 2.5rem; padding-bottom: 2rem; font-size: .85rem; }
    @media (max-width: 40rem) { .zoom { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
    @media print { body { background: #fff; } .scroll { overflow: visible; } }

    """
}
