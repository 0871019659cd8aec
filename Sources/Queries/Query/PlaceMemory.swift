import Columns
import Definition
import Features
import Inputs
import Reuse
import Tiling

/// The places of records that queries for a box leave to later ones.
///
/// The first that reads a whole source stores them in the cache of the archive, the next ones read
/// only the records that may touch their box.
///
/// Places are valid while the status of their file is the same; for a file that was written just
/// now none are stored yet. A fault of the cache costs time and nothing else.
final class PlaceMemory {
  private let cache: ArtifactCache
  private let bounds: GeoBounds
  private let mayEndEarly: Bool
  private let scratch: Scratch?
  /// The places of each source, by the name of their artifact.
  private var known: [ArtifactKey: RecordPlaces?] = [:]

  /// The share of a file's bytes above which the whole file is read: parts are read more slowly.
  private static let largestShare = 0.25

  /// Creates the memory of a query; `nil` for one without a box or without a cache.
  init?(of context: RunContext, _ options: QueryOptions) {
    guard let bounds = options.bounds, context.artifacts.isEnabled else { return nil }
    var cache = context.artifacts
    cache.isReadOnly = false
    self.cache = cache
    self.bounds = bounds
    mayEndEarly = options.limit != nil
    scratch = context.scratch
  }

  /// Returns the records that are read of a source; `nil` where all are.
  ///
  /// - Parameter counted: the properties whose values of all records are counted.
  /// - Complexity: O(bytes of the places).
  func guide(
    to source: QuerySource, _ request: ReadRequest, counting counted: [QuantityRequest]
  ) -> PlaceGuide? {
    guard let places = places(of: source, request), places.counts(counted) else { return nil }
    // If a pass ends early, its count of odd values depends on where it ends.
    guard !mayEndEarly || places.hasPlainValues(counted) else { return nil }
    let records = places.records(touching: bounds)
    let bytes = records.reduce(0) { $0 + places.extent($1).count }
    guard Double(bytes) <= Self.largestShare * Double(places.fileBytes) else { return nil }
    return PlaceGuide(places, records: records)
  }

  /// Returns a recorder for a pass over a source that has no guide; `nil` where its places cannot be
  /// recorded, or are known.
  func recorder(
    for source: QuerySource, _ request: ReadRequest, counting counted: [QuantityRequest]
  ) -> PlaceRecorder? {
    guard source.source.placesKey(request) != nil, let path = source.source.plainFile else {
      return nil
    }
    if let places = places(of: source, request), places.counts(counted) { return nil }
    return InputStatus.settled(path: path).map {
      PlaceRecorder(of: source, file: $0, in: scratch)
    }
  }

  /// Stores the places that a pass has recorded, unless it ended early or the file has changed.
  func keep(
    _ recorder: PlaceRecorder, of source: QuerySource, _ request: ReadRequest,
    after scan: RecordScan
  ) {
    guard let key = source.source.placesKey(request), let path = source.source.plainFile,
      var places = recorder.places(after: scan), (try? InputStatus(path: path)) == places.file
    else { return }
    if let before = known[key] ?? nil {
      places.ledger.numbers.merge(before.ledger.numbers) { new, _ in new }
    }
    known[key] = places
    cache.store(key, places.writer)
  }

  /// Removes the places of a source, where reading by them failed.
  func forget(_ source: QuerySource, _ request: ReadRequest) {
    guard let key = source.source.placesKey(request) else { return }
    known[key] = nil
    cache.remove(key)
  }

  /// Returns the places of a source's records, if they are stored and its file is the same.
  private func places(of source: QuerySource, _ request: ReadRequest) -> RecordPlaces? {
    guard let key = source.source.placesKey(request), let path = source.source.plainFile else {
      return nil
    }
    if let places = known[key] { return places }
    let stored = cache.value(key, RecordPlaces.init)
    let places = stored?.file == (try? InputStatus(path: path)) ? stored : nil
    known[key] = .some(places)
    return places
  }
}

extension RecordPlaces {
  /// Whether the values of all these properties were counted.
  fileprivate func counts(_ requests: [QuantityRequest]) -> Bool {
    requests.allSatisfy { ledger.numbers[$0] != nil }
  }

  /// Whether these properties have no texts in place of the numbers or times that the query
  /// expects.
  fileprivate func hasPlainValues(_ requests: [QuantityRequest]) -> Bool {
    requests.allSatisfy {
      ledger.numbers[$0].map { $0.texts == 0 && $0.untimed == 0 && !$0.hasDecimalComma } ?? false
    }
  }
}
