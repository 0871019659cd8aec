import Definition
import Features
import Files
import Foundation
import Ingest
import MBTiles
import OrderedCollections
import Runs
import SystemPackage
import Tiling

/// The tiles of a folder of files, `z/x/y.png` with a TileJSON beside them, as `export` and other
/// programs write it.
///
/// Files that are not named like tiles are left out; the content of the others is not trusted.
struct FolderTiles {
  /// The names of the TileJSON, the first that exists.
  private static let descriptions = [FolderSink.descriptionName, "metadata.json", "tiles.json"]

  /// Maximum number of names in one folder, and of bytes of a file.
  private static let nameLimit = 1 << 22
  private static let byteLimit = 64 << 20

  private let folder: FilePath
  private let members: OrderedDictionary<String, PropertyValue>
  private let scheme: TileScheme

  init(_ folder: FilePath) throws(ArchiveError) {
    self.folder = folder
    let texts = Self.descriptions.lazy.compactMap { name in
      try? DocumentFile.bytes(of: folder.appending(name).string, limit: 16 << 20)
    }
    guard let text = texts.first, case .object(let members)? = try? JSONValueParser.parse(text)
    else {
      throw ArchiveError(
        .content(
          .damagedFolder(fault: "has no \(FolderSink.descriptionName) that describes its tiles")),
        path: folder)
    }
    self.members = members
    scheme = Self.text(members["scheme"]) == "tms" ? .tms : .xyz
  }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: FilePath) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private static func text(_ value: PropertyValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  /// Writes an archive of the tiles.
  ///
  /// - Complexity: O(bytes).
  func write(to path: FilePath, isStopped: @escaping @Sendable () -> Bool) throws(ArchiveError) {
    let writer = try ArchiveWriter(path: path, layout: .dedup, isStopped: isStopped)
    var format: TileFormat?
    for zoom in try numbers(in: folder, upTo: TileCoord.maxZoom) {
      let columns = folder.appending(zoom.name)
      for file in try files(in: columns, zoom: zoom.number) {
        if isStopped() { throw ArchiveError(.stopped(while: "reading"), path: folder) }
        let tile = TileCoord(file.key, z: zoom.number)
        let row = scheme == .tms ? tile.tmsRow : tile.y
        let bytes = try read(columns.appending("\(tile.x)").appending("\(row)\(file.suffix)"))
        if bytes.isEmpty { continue }
        format = format ?? bytes.withUnsafeBytes { TileFormat(sniffing: $0) }
        let image = try bytes.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
          let bytes = UnsafeRawBufferPointer(bytes)
          return try writer.addImage(bytes, md5: MD5Digest(of: bytes))
        }
        try writer.addTile(tile, image)
      }
    }
    let statistics = writer.statistics
    guard let format, !statistics.isEmpty else {
      throw ArchiveError(
        .content(.damagedFolder(fault: "has no tiles, files such as 3/4/5.png")), path: folder)
    }
    let tileset = TilesetDescription(
      StoredMetadata(rows(format)), format: format, fallbackName: folder.stem ?? "tiles",
      selection: TileSelection(), taken: statistics)
    _ = try writer.finish { hashes in
      tileset.rows(
        hashes: hashes,
        own: [MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current)])
    }
  }

  /// Returns the tiles of a zoom's folder in archive order, each with what follows the row in the name
  /// of its file.
  private func files(
    in columns: FilePath, zoom: Int
  ) throws(ArchiveError) -> [(key: TileKey, suffix: Substring)] {
    let last = (1 << zoom) - 1
    var files: [(key: TileKey, suffix: Substring)] = []
    for column in try numbers(in: columns, upTo: last) {
      for file in try numbers(in: columns.appending(column.name), upTo: last, isFile: true) {
        let suffix = file.name[(file.name.lastIndex(of: ".") ?? file.name.endIndex)...]
        files.append((TileKey(tile(zoom, column.number, file.number)), suffix))
      }
    }
    return files.sorted { $0.key < $1.key }
  }

  private func tile(_ zoom: Int, _ column: Int, _ row: Int) -> TileCoord {
    scheme == .tms
      ? TileCoord(z: zoom, x: column, tmsRow: row) : TileCoord(z: zoom, x: column, y: row)
  }

  /// Returns the names that are numbers up to `limit` in plain digits, ascending; of files, those
  /// before the extension of a tile.
  private func numbers(
    in folder: FilePath, upTo limit: Int, isFile: Bool = false
  ) throws(ArchiveError) -> [(number: Int, name: String)] {
    let names: [String]
    do throws(FolderListing.Refusal) {
      names = try FolderListing.sortedNames(in: folder, limit: Self.nameLimit)
    } catch {
      switch error {
      case .unreadable(let cause) where cause.isOfMachine,
        .brokenOff(let cause) where cause.isOfMachine:
        throw ArchiveError(.file(.unreadable(cause)), path: folder)
      case .unreadable, .brokenOff, .notUTF8, .tooMany:
        throw ArchiveError(.content(.damagedFolder(fault: "cannot be listed")), path: folder)
      }
    }
    var found: [Int: String] = [:]
    for name in names {
      var digits = name[...]
      if isFile {
        guard let dot = name.lastIndex(of: "."),
          TileFormat(
            metadata: String(name[name.index(after: dot)...])) != nil
        else { continue }
        digits = name[..<dot]
      }
      guard let number = Int(digits), "\(number)" == digits, (0...limit).contains(number) else {
        continue
      }
      if found[number] != nil {
        throw ArchiveError(
          .content(.damagedFolder(fault: "has two files of one tile: \(folder.appending(name))")),
          path: self.folder)
      }
      found[number] = name
    }
    return found.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  private func read(_ path: FilePath) throws(ArchiveError) -> [UInt8] {
    do throws(PipelineError) {
      return try DocumentFile.read(path.string, limit: Self.byteLimit)
    } catch {
      throw ArchiveError(.file(.unreadable(.ioError)), path: path)
    }
  }

  /// The members of the TileJSON as rows of metadata.
  private func rows(_ format: TileFormat) -> [MetadataEntry] {
    func number(_ value: PropertyValue?) -> String? {
      guard case .number(let number)? = value else { return nil }
      return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
    func list(_ value: PropertyValue?) -> String? {
      guard case .array(let items)? = value else { return nil }
      let texts = items.compactMap { number($0) }
      return texts.count == items.count ? texts.joined(separator: ",") : nil
    }
    var rows = [MetadataEntry("format", format.rawValue)]
    for name in ["name", "description", "attribution", "version"] {
      if let text = Self.text(members[name]) { rows.append(MetadataEntry(name, text)) }
    }
    for name in ["minzoom", "maxzoom", "scale"] {
      if let text = number(members[name]) { rows.append(MetadataEntry(name, text)) }
    }
    for name in ["bounds", "center"] {
      if let text = list(members[name]) { rows.append(MetadataEntry(name, text)) }
    }
    return rows
  }
}
