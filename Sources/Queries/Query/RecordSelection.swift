import Definition
import Features
import Inputs

/// The query's own conditions on the records of one source, and the records' keys.
final class RecordSelection {
  private let view: RecordView
  private let filters: [RecordFilter]
  private let bounds: BoundsFilter?
  private let ids: Set<String>
  private let scan: RecordScan
  /// The layer of the last key, and the prefix of keys in it.
  private var layer: String
  private var prefix: String
  private var identifiers: FeatureIdentifiers?

  /// - Parameter conditions: the conditions of `--where` and `--filter`.
  init(_ scan: RecordScan, _ options: QueryOptions, conditions: [WhereClause]) throws {
    view = scan.view
    filters = conditions.map { RecordFilter($0.filter, on: scan.view) }
    bounds = try options.bounds.map { try BoundsFilter($0, on: scan.view) }
    ids = Set(options.ids)
    self.scan = scan
    layer = scan.layer
    prefix = Self.prefix(of: scan)
    if options.needsKeys {
      identifiers = FeatureIdentifiers(of: scan.source, ignoring: scan.geometryColumns)
    }
  }

  private static func prefix(of scan: RecordScan) -> String {
    FeatureKey(source: scan.source.source.nameInFile, layer: scan.layer, feature: "").description
  }

  /// Whether the view's row is part of the result; sets the view's key to the row's.
  ///
  /// Duplicates have the same content, so they pass the conditions on it together, and are counted
  /// after these; records of one id are counted before: their ordinals do not depend on the query.
  func takes() -> Bool {
    let id = textOfID()
    guard filters.allSatisfy({ $0.matches() }), bounds?.matches() ?? true else { return false }
    guard let feature = id ?? identifiers?.textOfContent(view.batch, view.row) else { return true }
    if scan.layer != layer {
      layer = scan.layer
      prefix = Self.prefix(of: scan)
    }
    let key = prefix + FeatureKey.encode(feature)
    view.key = key
    if ids.isEmpty || ids.contains(key) { return true }
    // A lookup by id finds all records with that id.
    return ids.contains(identifiers?.id(view.batch, view.row) ?? feature)
  }

  /// Returns the identifier of the view's row if it has an id.
  ///
  /// A pass over some records alone is told which of them repeat the id of another.
  private func textOfID() -> String? {
    guard identifiers != nil else { return nil }
    return scan.repeatedIdentifier ?? identifiers?.textOfID(view.batch, view.row)
  }
}

extension FeatureIdentifiers {
  /// Creates the generator of a source's identifiers.
  ///
  /// - Parameter ignoring: properties that are not content.
  init(of source: QuerySource, ignoring: [String]) {
    self.init(
      idColumn: source.records.id, ignoring: ignoring,
      numbersGiven: source.records.numbersGivenIDs,
      joinsAlike: source.definition.vectorTiles != nil)
  }
}

extension QueryOptions {
  /// Whether features are written or looked up with their keys.
  var needsKeys: Bool {
    guard clusterZoom == nil else { return false }
    return !ids.isEmpty || (!countsOnly && (format == .geojson || format == .geojsonseq))
  }
}
