import Clustering
import Columns
import Features
import Runs
import TapBlocks
import Tiling

/// A writer of the pages with the entries of features in compact hit test data.
struct TapEntryPages: Sendable {
  let sources: [TapSource]
  /// The numbers of the features, ascending.
  let shown: Column<UInt32>
  let numbers: TapNumbers
  let members: TapMembers

  /// The clusters of each source by zoom.
  private let levels: [[TapSource.Level?]]
  /// The ``TapSource/entrySeed`` of each source.
  private let seeds: [StableHash]

  /// Creates the writer of the entries of some features, and of the members of clusters among them.
  init(_ sources: [TapSource], used: Column<Bool>, _ numbers: TapNumbers) {
    func listed(_ used: Column<Bool>) -> Column<UInt32> {
      Column(used.indices.lazy.filter { used[$0] }.map { UInt32(truncatingIfNeeded: $0) })
    }
    var used = used
    members = TapMembers(of: listed(used), numbers, sources)
    members.forEach { used[Int($0)] = true }
    shown = listed(used)
    (self.sources, self.numbers) = (sources, numbers)
    levels = sources.map(\.levels)
    seeds = sources.map(\.entrySeed)
  }

  /// The least number of features of one job, which ends with a page.
  static let size = 1024

  /// A page in its stored form.
  struct Page: Sendable {
    let first: UInt64
    let stream: [UInt8]
    /// The hash of its run.
    let hash: StableHash
    let count: Int
  }

  /// A feature with what its entry is made from.
  private typealias Feature = (
    source: Int, item: TapSource.Item, level: TapSource.Level?, members: [UInt64]
  )

  private func feature(_ number: UInt32) -> Feature {
    let (source, item) = numbers.owner(of: number)
    guard case .cluster(let zoom, _) = item else { return (source, item, nil, []) }
    return (
      source, item, levels[source][zoom],
      members.members(of: number).map { numbers.identifiers[Int($0)] }
    )
  }

  /// Returns the entry of a feature.
  func entry(_ number: UInt32) -> TapEntry {
    entry(feature(number))
  }

  private func entry(_ feature: Feature) -> TapEntry {
    sources[feature.source].pieces(of: feature.item, feature.level, feature.members)
  }

  /// Returns the ranks of the features of the next job: it ends where the identifiers end a page, so
  /// that pages do not depend on the jobs.
  func job(from start: Int) -> Range<Int> {
    var end = min(start + Self.size, shown.count)
    while end < shown.count,
      !TapEntryPage.endsPage(identifier(end - 1))
    {
      end += 1
    }
    return start..<end
  }

  /// Successive features: pages begin with the first and end with the last, wherever others end.
  struct Run {
    /// The identifier of the first one.
    let first: UInt64
    let count: Int
    /// The hash of what all entries are made from.
    let hash: StableHash
  }

  /// Returns the pages of the features at some ranks.
  ///
  /// - Parameters:
  ///   - known: returns the pages of a run, if they are known.
  ///   - compress: returns the stream of a page's bytes.
  func pages(
    _ ranks: Range<Int>, known: (Run) -> [Page]?, compress: ([UInt8]) -> [UInt8]
  ) throws -> [Page] {
    var pages: [Page] = []
    var start = ranks.lowerBound
    while start < ranks.upperBound {
      var end = start + 1
      while end < ranks.upperBound, !TapEntryPage.endsPage(identifier(end - 1)) { end += 1 }
      let features = (start..<end).map { (identifier($0), feature(shown[$0])) }
      let run = Run(first: identifier(start), count: end - start, hash: hash(of: features))
      pages += try known(run) ?? self.pages(of: features, run.hash, compress)
      start = end
    }
    return pages
  }

  private func identifier(_ rank: Int) -> UInt64 { numbers.identifiers[Int(shown[rank])] }

  private func hash(of features: [(UInt64, Feature)]) -> StableHash {
    var hash = StableHash()
    for (identifier, feature) in features {
      hash.combine(identifier)
      hash.combine(seeds[feature.source])
      sources[feature.source].combineEntry(
        of: feature.item, feature.level, feature.members, into: &hash)
    }
    return hash
  }

  private func pages(
    of features: [(UInt64, Feature)], _ hash: StableHash, _ compress: ([UInt8]) -> [UInt8]
  ) throws -> [Page] {
    var pages: [Page] = []
    var page = TapEntryPage()
    func end() throws {
      guard let first = page.identifiers.first else { return }
      let bytes = page.encoded()
      guard bytes.count <= TapInflater.byteLimit else { throw Self.tooLong }
      pages.append(
        Page(first: first, stream: compress(bytes), hash: hash, count: page.entries.count))
      page = TapEntryPage()
    }
    for (identifier, feature) in features {
      let entry = entry(feature)
      if page.hasNoRoom(for: entry.byteCount) { try end() }
      page.append(identifier, entry)
      if page.isFull { try end() }
    }
    try end()
    return pages
  }

  private static var tooLong: PipelineError {
    PipelineError(
      .definition,
      "a feature has more properties than compact taps can hold (\(TapInflater.byteLimit >> 20) "
        + "MiB). Name those that an answer needs in 'fields' of 'interactivity'.")
  }
}
