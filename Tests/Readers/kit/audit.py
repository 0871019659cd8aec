"""Rules that a page keeps for everybody: those of axe-core where it is installed, and our own always."""

import importlib.util
import os

from kit import access

# Faults of the page's structure as sentences.
FAULTS = """(() => {
  const faults = [];
  const shown = (one) => one.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !one.closest('[inert], [hidden]');
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`two elements have the id ${id}`);
  if (document.documentElement.lang === '') faults.push('the page has no language');
  if (document.title.trim() === '') faults.push('the page has no title');
  if (document.querySelectorAll('main').length !== 1) faults.push('there is not one main landmark');
  for (const one of document.querySelectorAll('aside, nav, section[role], form[role]')) {
    if (!one.getAttribute('aria-label') && one.tagName === 'ASIDE') faults.push('a landmark has no name');
  }
  let level = 0;
  const headings = [...document.querySelectorAll('#panel h1, #panel h2, #panel h3')];
  if (headings.filter((one) => one.tagName === 'H1').length !== 1) faults.push('there is not one h1');
  for (const one of headings) {
    const next = Number(one.tagName[1]);
    if (next > level + 1) faults.push(`the heading ${one.textContent} skips a level`);
    level = next;
  }
  for (const one of document.querySelectorAll('[tabindex]')) if (one.tabIndex > 0) faults.push(`${one.id || one.tagName} has a tab order of its own`);
  for (const one of document.querySelectorAll('[aria-controls], [aria-describedby], label[for]')) {
    const id = one.getAttribute('aria-controls') || one.getAttribute('aria-describedby') || one.getAttribute('for');
    if (!document.getElementById(id)) faults.push(`nothing has the id ${id}`);
  }
  for (const one of document.querySelectorAll('button, select, input, summary, [role=slider], #map a')) {
    if (!shown(one) || one.closest('.leaflet-control-attribution')) continue;
    let box = one.getBoundingClientRect();
    const label = one.closest('label');
    if (label) box = label.getBoundingClientRect();
    if (box.width < 24 || (box.height < 24 && one.type !== 'range')) {
      faults.push(`${one.id || one.textContent.trim() || one.className} is ${Math.round(box.width)} by ${Math.round(box.height)} px`);
    }
  }
  for (const one of document.querySelectorAll('#panel, #stage > *')) {
    const box = one.getBoundingClientRect();
    if (!shown(one) || box.width === 0 || one.classList.contains('hidden-text')) continue;
    if (box.right > innerWidth + 1 || box.left < -1) faults.push(`${one.id} leaves the screen`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than the screen');
  return faults;
})()"""

AXE = """axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
  .then((told) => told.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.map((node) => node.target.join(' ')).join('; ')})`))"""


def axe():
    """The script of axe-core that a package of PyPI has, or None."""
    for name in ("axe_playwright_python", "axe_selenium_python"):
        found = importlib.util.find_spec(name)
        if not found or not found.submodule_search_locations:
            continue
        for place in ("axe.min.js", "node_modules/axe-core/axe.min.js"):
            path = os.path.join(found.submodule_search_locations[0], place)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return file.read()
    return None


def faults(page):
    """What is wrong with the page as it is shown, as sentences."""
    found = page.run(FAULTS)
    found += [f"a {role} has no name" for role in access.nameless(page)]
    found += [f"{words!r} has a contrast of {contrast}" for words, contrast in access.faint(page)]
    script = axe()
    if script:
        page.run(f"(() => {{ {script}\n; return true; }})()")
        found += page.run(AXE)
    return found
