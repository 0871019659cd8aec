/// The page's own files, which are embedded in the program.
enum PageFiles {
  /// The names as the page requests them, kinds and bytes, in a fixed order.
  static let all: [(name: String, content: PreviewContent)] = [
    ("index.html", PreviewContent(.html, PackageResources.page_html)),
    ("page.css", PreviewContent(.css, PackageResources.page_css)),
    ("state.js", PreviewContent(.script, PackageResources.state_js)),
    ("map.js", PreviewContent(.script, PackageResources.map_js)),
    ("places.js", PreviewContent(.script, PackageResources.places_js)),
    ("land.js", PreviewContent(.script, PackageResources.land_js)),
    ("under.js", PreviewContent(.script, PackageResources.under_js)),
    ("layers.js", PreviewContent(.script, PackageResources.layers_js)),
    ("swipe.js", PreviewContent(.script, PackageResources.swipe_js)),
    ("series.js", PreviewContent(.script, PackageResources.series_js)),
    ("taps.js", PreviewContent(.script, PackageResources.taps_js)),
    ("notice.js", PreviewContent(.script, PackageResources.notice_js)),
    ("sheet.js", PreviewContent(.script, PackageResources.sheet_js)),
    ("search.js", PreviewContent(.script, PackageResources.search_js)),
    ("report.js", PreviewContent(.script, PackageResources.report_js)),
    ("legend.js", PreviewContent(.script, PackageResources.legend_js)),
    ("snippets.js", PreviewContent(.script, PackageResources.snippets_js)),
    ("watch.js", PreviewContent(.script, PackageResources.watch_js)),
    ("panel.js", PreviewContent(.script, PackageResources.panel_js)),
    ("land.txt", PreviewContent(.text, PackageResources.land_txt)),
    ("places.txt", PreviewContent(.text, PackageResources.places_txt)),
  ]

  /// Returns the file with a name, `nil` if there is none.
  static func file(_ name: String) -> PreviewContent? {
    all.first { $0.name == name }?.content
  }
}
