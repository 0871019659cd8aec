import Definition
import Features
import Ingest
import MBTiles
import OrderedCollections
import Reports
import Runs

extension BuildReport {
  /// Copies from the report beside an archive that stays the parts about the build that published
  /// it: sources, zooms, stages. A report of another archive is ignored.
  ///
  /// - Parameter definition: the pipeline, which names the files of its sources.
  mutating func restore(from definition: PipelineDefinition) {
    guard
      let bytes = try? DocumentFile.bytes(
        of: ReportFile.path(besideArchive: archive.path), limit: 64 << 20),
      let value = try? JSONValueParser.parse(bytes),
      let old = StoredReport(value), let known = old["archive"],
      known["sha256"]?.text ?? "" == archive.sha256, known["digest"]?.text == archive.digest
    else { return }
    sources = (old["sources"]?.members ?? []).map { name, source in
      let file = definition.sources.first { $0.name == name }?.declaredName
      return source.source(name, file: file ?? name)
    }
    stages = (old["stages"]?.items ?? []).compactMap(\.stage)
    zooms = (old["zooms"]?.items ?? []).map(\.zoom)
    tiles.planned = old["tiles"]?.count("planned") ?? 0
    tiles.rendered = old["tiles"]?.count("rendered") ?? 0
    tiles.reused = old["tiles"]?.count("reused") ?? 0
    tiles.distinct = old["tiles"]?.count("distinct") ?? 0
    tiles.bytes = old["tiles"]?.count("bytes") ?? 0
    changes = old["changes"]?.changes
    memory = old.memory
  }
}

/// A value of a report's JSON, which any program may have written.
private struct StoredReport {
  private let value: PropertyValue

  init?(_ value: PropertyValue?) {
    guard let value else { return nil }
    self.value = value
  }

  subscript(_ key: String) -> StoredReport? {
    guard case .object(let members) = value else { return nil }
    return StoredReport(members[key])
  }

  var members: [(String, StoredReport)] {
    guard case .object(let members) = value else { return [] }
    return members.compactMap { key, value in StoredReport(value).map { (key, $0) } }
  }

  var items: [StoredReport] {
    guard case .array(let items) = value else { return [] }
    return items.compactMap { StoredReport($0) }
  }

  var text: String? {
    if case .string(let text) = value { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = value { number } else { nil }
  }

  /// Returns a whole number from 0 to 2⁵³, otherwise 0.
  func count(_ key: String) -> Int {
    guard let number = self[key]?.number, (0...0x1p53).contains(number) else { return 0 }
    return Int(number)
  }

  var stage: StageTime? {
    guard let name = self["name"]?.text, let seconds = self["seconds"]?.number else { return nil }
    return StageTime(name: name, seconds: seconds, memory: memory)
  }

  /// The peaks of memory; zeros in reports of versions that did not separate the two kinds.
  var memory: MemoryUse {
    MemoryUse(anonymous: count("peakAnonymousBytes"), mapped: count("peakMappedBytes"))
  }

  var zoom: ZoomReport {
    var zoom = ZoomReport(zoom: count("zoom"))
    (zoom.points, zoom.clusters) = (count("points"), count("clusters"))
    zoom.limited = count("limited")
    (zoom.tiles, zoom.empty) = (count("tiles"), count("empty"))
    (zoom.distinct, zoom.bytes) = (count("distinct"), count("bytes"))
    return zoom
  }

  func source(_ name: String, file: String) -> SourceReport {
    if let format = self["format"]?.text {
      return SourceReport(
        name: name, file: file, ledger: SourceLedger(),
        image: ImageReport(format: format, width: count("width"), height: count("height")))
    }
    var rejected: [RejectReason: Int] = [:]
    for reason in RejectReason.allCases where self["rejected"]?[reason.rawValue] != nil {
      rejected[reason] = self["rejected"]?.count(reason.rawValue)
    }
    var ledger = SourceLedger(
      rejected: rejected, examples: (self["examples"]?.items ?? []).compactMap(\.example),
      furtherExamples: [])
    ledger.restore(
      counts: { count($0.rawValue) }, repairs: { self["repaired"]?.count($0.rawValue) ?? 0 })
    (ledger.read, ledger.repeated) = (count("read"), count("repeated"))
    ledger.matched = self["matched"] == nil ? nil : count("matched")
    return SourceReport(name: name, file: file, ledger: ledger)
  }

  private var example: SourceLedger.Example? {
    guard let reason = self["reason"]?.text.flatMap(RejectReason.init(rawValue:)),
      let message = self["message"]?.text
    else { return nil }
    return SourceLedger.Example(
      reason: reason, file: self["file"]?.text, line: count("line"), column: count("column"),
      message: message)
  }

  var changes: TileChanges? {
    TileChanges(
      zooms: (self["zooms"]?.items ?? []).map { item in
        var zoom = TileChanges.Zoom(zoom: item.count("zoom"))
        (zoom.added, zoom.changed) = (item.count("added"), item.count("changed"))
        (zoom.removed, zoom.unchanged) = (item.count("removed"), item.count("unchanged"))
        return zoom
      })
  }
}
