/// The page's own files, which are embedded in the program.
enum PageFiles {
  /// The names as the page requests them, kinds and bytes, in a fixed order.
  static let all: [(name: String, content: PreviewContent)] = [
    ("index.html", PreviewContent(.html, PackageResources.page_html)),
    ("page.css", PreviewContent(.css, PackageResources.page_css)),
    ("page.js", PreviewContent(.script, script)),
    ("land.txt", PreviewContent(.text, PackageResources.land_txt)),
    ("places.txt", PreviewContent(.text, PackageResources.places_txt)),
  ]

  /// The bytes of all scripts as one file, since each request delays the page by some milliseconds.
  private static let script = Array(parts.joined(separator: "\n".utf8))

  /// The scripts in the order in which they run; each uses what the ones before it define.
  private static let parts: [[UInt8]] = [
    PackageResources.state_js, PackageResources.map_js, PackageResources.places_js,
    PackageResources.land_js, PackageResources.under_js, PackageResources.layers_js,
    PackageResources.names_js, PackageResources.swipe_js, PackageResources.series_js,
    PackageResources.taps_js, PackageResources.blocks_js, PackageResources.notice_js,
    PackageResources.sheet_js, PackageResources.search_js, PackageResources.report_js,
    PackageResources.legend_js, PackageResources.look_js, PackageResources.colours_js,
    PackageResources.snippets_js, PackageResources.table_js, PackageResources.watch_js,
    PackageResources.panel_js,
  ]

  /// Returns the file with a name, `nil` if there is none.
  static func file(_ name: String) -> PreviewContent? {
    all.first { $0.name == name }?.content
  }
}
