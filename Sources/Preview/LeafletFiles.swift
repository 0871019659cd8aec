import Definition
import Files
import Foundation
package import Runs

/// The files of Leaflet, the map library, as installed on the system.
package struct LeafletFiles: Sendable {
  /// The files by their names below `leaflet/` as the page requests them, in a fixed order.
  package let all: [(name: String, content: PreviewContent)]

  /// The folders with the library: this program's, then the ones into which packages install it,
  /// Debian's and npm's.
  static let folders =
    [InstalledFiles.folder.map { "\($0)/leaflet" }].compactMap(\.self) + [
      "/usr/share/javascript/leaflet", "/usr/share/nodejs/leaflet/dist",
      "/usr/local/lib/node_modules/leaflet/dist", "/usr/lib/node_modules/leaflet/dist",
      "/opt/homebrew/lib/node_modules/leaflet/dist",
    ]

  /// Maximum bytes of a file of the library; a larger one is refused.
  private static let maxBytes = 4 << 20

  private static let images = [
    "layers.png", "layers-2x.png", "marker-icon.png", "marker-icon-2x.png", "marker-shadow.png",
  ]

  /// Reads the library from the first folder that has it.
  ///
  /// - Parameter folders: the folders to search; the environment's `QUADRILLE_LEAFLET` has
  ///   precedence.
  /// - Throws: ``PipelineError`` with code `missingInput` if it is not found.
  package init(folders: [String] = Self.searched) throws(PipelineError) {
    for folder in folders {
      let script = Self.read(folder, ["leaflet.min.js", "leaflet.js"])
      guard let script, let style = Self.read(folder, ["leaflet.css"]) else { continue }
      var all = [
        ("leaflet.js", PreviewContent(.script, script)),
        ("leaflet.css", PreviewContent(.css, style)),
      ]
      for image in Self.images {
        guard let bytes = Self.read(folder, ["images/\(image)"]) else { continue }
        all.append(("images/\(image)", PreviewContent(.png, bytes)))
      }
      let license =
        Self.read(folder, ["LICENSE", "../LICENSE"])
        ?? Self.read("/usr/share/doc/libjs-leaflet", ["copyright"])
      if let license { all.append(("LICENSE.txt", PreviewContent(.text, license))) }
      self.all = all
      return
    }
    throw PipelineError(
      .missingInput,
      "Leaflet, the map library of the preview, is not installed. Install it with 'apt-get install "
        + "libjs-leaflet' or 'npm install --global leaflet', or name its folder in QUADRILLE_LEAFLET."
    )
  }

  package static var searched: [String] {
    let named = ProcessInfo.processInfo.environment["QUADRILLE_LEAFLET"]
    return [named].compactMap(\.self) + folders
  }

  /// Returns the file with a name, `nil` if there is none.
  func file(_ name: String) -> PreviewContent? {
    all.first { $0.name == name }?.content
  }

  private static func read(_ folder: String, _ names: [String]) -> [UInt8]? {
    for name in names {
      if let bytes = try? DocumentFile.read("\(folder)/\(name)", limit: maxBytes, waits: false) {
        return bytes
      }
    }
    return nil
  }
}
