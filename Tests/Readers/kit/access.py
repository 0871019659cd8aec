"""What the page is to those who do not see it, or not well."""

CONTROLS = {"button", "checkbox", "combobox", "link", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox"}

# Every text that shows: its words, its contrast with what lies behind it, and whether it is large (WCAG 2: 24 px, or
# 18.66 px bold). Disabled controls need none.
CONTRASTS = """(() => {
  const parse = (text) => {
    const parts = (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const blend = (top, under) => top.rgb.map((value, i) => value * top.alpha + under[i] * (1 - top.alpha));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : blend(own, behind(element.parentElement));
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const words = walk.currentNode.data.trim();
    if (words === '' || ['SCRIPT', 'STYLE'].includes(element.tagName) || element.closest('[hidden], :disabled')) continue;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [a, b] = [light(blend(parse(style.color), ground)), light(ground)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    found.push({words, contrast: (a + 0.05) / (b + 0.05), large});
  }
  return found;
})()"""

# The element that has the focus, as a word; nothing where it is the page or an element that had the focus before.
FOCUS = """(() => {
  const one = document.activeElement;
  window.focused ??= new Set();
  if (one === document.body || focused.has(one)) return '';
  focused.add(one);
  return one.id || `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') || one.textContent.trim()}`;
})()"""


def nodes(page):
    """(role, name) of all that assistive programs are told, in their order."""
    tree = page.send("Accessibility.getFullAXTree")["nodes"]
    shown = [node for node in tree if not node.get("ignored")]
    return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in shown if "role" in node]


def nameless(page):
    """The roles of controls without a name."""
    return [role for role, name in nodes(page) if role in CONTROLS and not name]


def faint(page):
    """Texts with too little contrast, as (words, contrast)."""
    texts = page.run(CONTRASTS)
    assert len(texts) > 10, "no text is found"
    return [(t["words"], round(t["contrast"], 2)) for t in texts if t["contrast"] < (3 if t["large"] else 4.5)]


# Puts the place that Tab goes on from before the first element.
FROM_THE_TOP = "(b => { b.tabIndex = -1; b.focus(); b.removeAttribute('tabindex'); delete window.focused; })(document.body)"


def tabbed(page, limit=80):
    """What gets the focus in turn when Tab is pressed from the page's beginning, until it leaves the page."""
    found = []
    page.run(FROM_THE_TOP)
    for _ in range(limit):
        page.key("Tab")
        word = page.run(FOCUS)
        if word == "":
            break
        found.append(word)
    return found
