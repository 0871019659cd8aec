import Features
import Files
import Foundation
import SystemPackage

/// An image of a format that GDAL reads, with the files that belong to it: companion files beside
/// it, and files that a mosaic (VRT) names.
package struct RasterFile: Hashable, Sendable {
  package let path: String

  /// The image's name if its path does not have it, as for a cached copy or a member of a zip
  /// file. Such an image has no companion files.
  private let called: String?

  /// The endings that replace the ending of an image, in lower case: world files, headers,
  /// projections.
  private static let companions: Set = [
    "aux", "bpw", "bmpw", "clr", "gfw", "gifw", "hdr", "j2w", "jgw", "jp2w", "jpgw", "jpegw", "ovr",
    "pgw", "pngw", "prj", "rrd", "tab", "tfw", "tifw", "tiffw", "webpw", "wld", "wpw",
  ]

  /// The endings that are appended to the whole name.
  private static let additions: Set = ["aux.xml", "msk", "ovr"]

  /// The most files of mosaics, and the most bytes and depth of each.
  private static let fileLimit = 20_000
  private static let mosaicBytes = 64 << 20
  private static let depthLimit = 8

  package init(_ path: String, called: String? = nil) {
    self.path = path
    self.called = called
  }

  /// The image and the files that belong to it; only these are read. Wrong names in a mosaic are
  /// left out.
  package var files: [String] {
    var found: [String] = []
    try? collect(into: &found, depth: 0)
    return found
  }

  private func collect(into found: inout [String], depth: Int) throws(SourceError) {
    guard !found.contains(path) else { return }
    found.append(path)
    found += beside
    guard let text = try mosaic(), depth < Self.depthLimit, found.count < Self.fileLimit else {
      return
    }
    for source in try sources(of: text) {
      try RasterFile(source.path).collect(into: &found, depth: depth + 1)
    }
  }

  /// The companion files beside the image, sorted.
  private var beside: [String] {
    let file = FilePath(path)
    guard called == nil, let name = file.lastComponent?.string, let stem = file.stem else {
      return []
    }
    let folder = file.removingLastComponent()
    let names = FolderListing.inputNames(in: folder.isEmpty ? "." : folder).sorted()
    return names.filter { other in
      if other.hasPrefix(name + ".") {
        return Self.additions.contains(other.dropFirst(name.count + 1).lowercased())
      }
      let path = FilePath(other)
      return other != name && path.stem == stem
        && Self.companions.contains(path.extension?.lowercased() ?? "")
    }.map { folder.appending($0).string }
  }

  // MARK: Mosaics

  /// A file that a mosaic names.
  private struct Source {
    let element: Range<String.Index>
    let name: String
    let path: String
  }

  /// Returns the text of a mosaic; `nil` for an image of another format.
  private func mosaic() throws(SourceError) -> String? {
    let beginning = String(decoding: FileHead.bytes(of: FilePath(path), 512), as: UTF8.self)
    guard beginning.contains("<VRTDataset") else { return nil }
    guard called == nil else {
      throw fault(
        "is a mosaic behind a url or in a packed file, where the files that it names are not; save "
          + "them, and name the mosaic's own file")
    }
    guard let size = FileStatus(FilePath(path))?.size, size <= Self.mosaicBytes,
      let data = FileManager.default.contents(atPath: path)
    else { throw fault("is a mosaic of more than \(Self.mosaicBytes) bytes, or cannot be read") }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the files that a mosaic names.
  private func sources(of text: String) throws(SourceError) -> [Source] {
    if text.contains("/vsi") {
      throw fault("is a mosaic of files that are no plain files of this machine ('/vsi…'); refused")
    }
    let pattern =
      /<(?:SourceFilename|SourceDataset)(?<keys>[^>]*)>(?<name>[^<]*)<\/(?:SourceFilename|SourceDataset)>/
    var sources: [Source] = []
    for match in text.matches(of: pattern) {
      guard sources.count < Self.fileLimit else {
        throw fault("is a mosaic of more than \(Self.fileLimit) files")
      }
      var name = String(match.output.name)
      for (code, sign) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        name = name.replacing(code, with: sign)
      }
      let folder = FilePath(path).removingLastComponent()
      let isRelative = match.output.keys.contains(/relativeToVRT\s*=\s*"1"/)
      let file = (isRelative ? folder.pushing(FilePath(name)) : FilePath(name)).string
      guard FileStatus(FilePath(file))?.kind == .file else {
        throw fault("names '\(name)', and there is no such file")
      }
      let element = match.output.name.startIndex..<match.output.name.endIndex
      sources.append(Source(element: element, name: name, path: file))
    }
    return sources
  }

  private func fault(_ message: String) -> SourceError {
    SourceError(code: .badData, file: called ?? path, message: message)
  }

  // MARK: Links

  /// Makes the file and those that belong to it available in a folder.
  ///
  /// A mosaic is rewritten, with links in place of the files that it names.
  ///
  /// - Returns: the name of the file there.
  func link(into folder: WorkFolder) throws(SourceError) -> String {
    var number = 0
    var linked: [String: String] = [:]
    return try link(into: folder, &number, &linked, depth: 0)
  }

  /// Returns the name by which an SRTM height file tells its position, such as `N46E008.hgt`;
  /// `nil` for another file.
  private static func placedName(_ name: String) -> String? {
    guard name.wholeMatch(of: /[NSns]\d{2}[EWew]\d{3}.*\.[Hh][Gg][Tt]/) != nil else { return nil }
    return "\(name.prefix(7).uppercased()).hgt"
  }

  private func link(
    into folder: WorkFolder, _ number: inout Int, _ linked: inout [String: String], depth: Int
  ) throws(SourceError) -> String {
    if let name = linked[path] { return name }
    guard depth < Self.depthLimit, number < Self.fileLimit else {
      throw fault("is a mosaic of mosaics that is too deep or has too many files")
    }
    let mark = "image\(number)"
    number += 1
    let file = FilePath(path)
    let stem = file.stem ?? ""
    /// Returns the name with the mark in place of its stem.
    func marked(_ path: String) -> String {
      let name = FilePath(path).lastComponent?.string ?? ""
      return mark + (name.hasPrefix(stem) ? String(name.dropFirst(stem.count)) : "")
    }
    let own =
      Self.placedName(called ?? file.lastComponent?.string ?? "")
      ?? called.map { name in
        mark + (FilePath(name).extension.map { ".\($0)" } ?? "")
      } ?? marked(path)
    linked[path] = own
    for other in beside { try folder.link(other, as: marked(other)) }
    guard let text = try mosaic() else {
      try folder.link(path, as: own)
      return own
    }
    var written = ""
    var end = text.startIndex
    for source in try sources(of: text) {
      let name = try RasterFile(source.path).link(
        into: folder, &number, &linked, depth: depth + 1)
      // Links lie beside the mosaic, and its folder is the current one.
      written += text[end..<source.element.lowerBound] + name
      end = source.element.upperBound
    }
    written += text[end...]
    try folder.write(written, as: own)
    return own
  }
}
