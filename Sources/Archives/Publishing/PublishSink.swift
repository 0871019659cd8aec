import Files
import JSON
import MBTiles
import Pictures
import Platform
import Runs
import SystemPackage
import Tiling

/// How a folder of tiles is published.
package struct FolderPublication: Hashable, Sendable {
  /// The url of the folder, without a slash at its end; `nil` for relative urls.
  package var url: String?
  /// The path of the list of changed urls; `nil` for `FOLDER.purge.txt`.
  package var purgeList: String?
  /// Whether files are compared one by one, and the folder of an export may be taken over.
  package var comparesFiles = false

  package init() {}

  /// Returns the path of the list of changed urls of a folder.
  func listPath(besides folder: String) -> String {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return purgeList ?? "\(folder).purge.txt"
  }
}

/// A sink that brings a folder of tiles up to date: only files whose content changes are written,
/// the manifest follows when all of them are there, and then files without a tile go.
///
/// A server may serve the folder meanwhile: tiles of two versions may stand side by side, but each
/// is complete, and the manifest never names a tile that is not there.
final class PublishSink: TileSink {
  private let folder: PublishedFolder
  private let publication: FolderPublication
  private let format: TileFormat
  private var old: TileManifestReader?
  private let isFirst: Bool

  /// Whether the changes of files that are in the folder already are listed again: an earlier run
  /// was broken off after it wrote them, and before it published its list.
  private let isListedAgain: Bool

  private let manifest: PendingFile
  private let purges: PendingFile
  private var lines = ""
  private var urls = ""

  /// The urls in the list of a run that was broken off, which nobody may have purged.
  private var pendingURLs: Set<String> = []

  /// The paths of tiles that are no longer there, and the keys of those that are.
  private var gone: [String] = []
  private var kept = ContiguousArray<UInt64>()
  private var counts = Counts()

  private struct Counts {
    var bytes = 0
    var new = 0
    var changed = 0
  }

  /// Bytes of lines that are collected before they are written.
  private static let blockSize = 1 << 20

  init(
    _ options: ExportOptions, _ publication: FolderPublication, _ format: TileFormat
  ) throws {
    self.publication = publication
    self.format = format
    folder = try PublishedFolder(options.output, force: publication.comparesFiles)
    let path = folder.path.appending(TileManifest.name)
    isFirst = !FileStatus.exists(path) && folder.isSettled
    // If files are compared, the manifest does not decide what they hold; but only it shows what a
    // broken-off run has changed.
    old =
      if publication.comparesFiles {
        folder.isBrokenOff ? Self.wholeManifest(path) : nil
      } else {
        try TileManifestReader(path)
      }
    isListedAgain = folder.isBrokenOff && old != nil
    manifest = PendingFile(path)
    purges = PendingFile(FilePath(publication.listPath(besides: options.output)))
    // Both are created now: a folder that accepts no file ends the run before anything changes.
    let listed = folder.isBrokenOff ? try Self.lines(of: purges.path) : []
    try Self.writing(purges.path) { () throws(Errno) in try purges.write(listed) }
    try Self.writing(manifest.path) { () throws(Errno) in try manifest.write([]) }
    try folder.begin()
    pendingURLs = Set(
      String(decoding: listed, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Opens a manifest that is read to its end without a fault; `nil` for another.
  private static func wholeManifest(_ path: FilePath) -> TileManifestReader? {
    guard var reader = try? TileManifestReader(path) else { return nil }
    while reader.entry != nil {
      guard (try? reader.advance()) != nil else { return nil }
    }
    return try? TileManifestReader(path)
  }

  /// Returns the whole lines of a list, which need not exist.
  private static func lines(of path: FilePath) throws(FileError) -> [UInt8] {
    guard let size = FileStatus(path)?.size, size > 0 else { return [] }
    do {
      let file = try MappedFile(path)
      return withExtendedLifetime(file) {
        let end = file.bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Array(file.bytes[..<end])
      }
    } catch {
      throw FileError(error as? Errno ?? .ioError, doing: "read", path: path)
    }
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared _: Bool) throws {
    try passOld(before: tile.archiveKey)
    let digest = MD5Digest(of: bytes)
    let place = "\(tile).\(format.fileExtension)"
    var known: MD5Digest?
    if let entry = old?.entry, entry.tile == tile, entry.fileExtension == format.fileExtension {
      known = entry.digest
      try old?.advance()
    }
    let isAsKnown = known == digest
    let isThere =
      (isAsKnown || !folder.isSettled)
      && folder.holds(bytes, at: place, isKnown: isAsKnown && folder.isSettled)
    if !isThere { try folder.write(bytes, of: tile, to: place) }
    if !isThere || (!isAsKnown && (known != nil || isListedAgain)) {
      if known == nil, folder.isSettled { counts.new += 1 } else { counts.changed += 1 }
      try purge(place)
    }
    counts.bytes += bytes.count
    if !folder.isSettled { kept.append(tile.archiveKey) }
    lines += TileManifest.line(digest, place)
    try flush(&lines, to: manifest, whenOver: Self.blockSize)
  }

  func publish(
    _ tileset: TilesetDescription, rows _: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    try passOld(before: .max)
    if !folder.isSettled {
      let known = Set(gone)
      gone += folder.strays { path in
        path.fileExtension == format.fileExtension && kept.hasKey(path.tile.archiveKey)
      }.filter { !known.contains($0) }
    }
    for place in gone where !place.contains(".tmp-") { try purge(place) }
    let description = Array(
      TilesetJSON.tileJSON(tileset, scheme: .xyz, url: publication.url).pretty.utf8)
    let digest = description.withUnsafeBytes { MD5Digest(of: $0) }
    try describe(description, digest)
    lines += TileManifest.line(digest, FolderSink.descriptionName)
    try flush(&lines, to: manifest)
    try flush(&urls, to: purges)
    // One call for everything: one per file would take longer than writing them.
    sync()
    try clock.cancellation.check()
    for file in [purges, manifest] {
      try Self.writing(file.path) { () throws(Errno) in
        try file.finish()
        try file.commit()
      }
    }
    for place in gone { try folder.remove(place) }
    folder.end()
    return SinkOutcome(bytes: counts.bytes + description.count, detail: detail)
  }

  private var detail: String {
    let removed = gone.count
    guard counts.new + counts.changed + removed > 0 else { return "nothing changed" }
    let parts = [(counts.new, "new"), (counts.changed, "changed"), (removed, "removed")]
    return parts.filter { $0.0 > 0 }.map { "\(ReportNumber.count($0.0)) \($0.1)" }
      .joined(separator: ", ")
  }

  /// Writes the description if it changed.
  private func describe(_ bytes: [UInt8], _ digest: MD5Digest) throws {
    let name = FolderSink.descriptionName
    let path = folder.path.appending(name)
    let isThere = bytes.withUnsafeBytes {
      folder.holds($0, at: name, isKnown: folder.isSettled && old?.description == digest)
    }
    if !isThere {
      try Self.writing(path) { () throws(Errno) in try DurableFile.write(bytes, to: path) }
    }
    // A run that was broken off may have written it and not listed it.
    if !isThere || (old?.description).map({ $0 != digest }) ?? false { try purge(name) }
  }

  // MARK: The manifest before

  /// Passes the old tiles before a key, which are gone.
  private func passOld(before key: UInt64) throws {
    while let entry = old?.entry, entry.tile.archiveKey < key || isOther(entry, at: key) {
      gone.append("\(entry.tile).\(entry.fileExtension)")
      try old?.advance()
    }
  }

  /// Whether an old tile has the place of a new one, under another name.
  private func isOther(_ entry: TileManifestReader.Entry, at key: UInt64) -> Bool {
    entry.tile.archiveKey == key && entry.fileExtension != format.fileExtension
  }

  // MARK: Lists

  /// Lists a url whose content changed; nothing is listed for the first publication.
  private func purge(_ place: String) throws {
    guard !isFirst else { return }
    let url = publication.url.map { "\($0)/\(place)" } ?? place
    guard !pendingURLs.contains(url) else { return }
    urls += "\(url)\n"
    try flush(&urls, to: purges, whenOver: Self.blockSize)
  }

  private func flush(
    _ text: inout String, to file: PendingFile, whenOver limit: Int = 0
  ) throws {
    guard text.utf8.count > limit else { return }
    try Self.writing(file.path) { () throws(Errno) in try file.write(Array(text.utf8)) }
    text = ""
  }

  private static func writing(
    _ path: FilePath, _ body: () throws(Errno) -> Void
  ) throws(FileError) {
    do throws(Errno) {
      try body()
    } catch {
      throw FileError(error, doing: "write", path: path)
    }
  }
}
