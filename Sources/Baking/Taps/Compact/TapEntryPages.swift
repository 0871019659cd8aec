import Clustering
import Columns
import Runs
import TapBlocks

/// A writer of the pages with the entries of features in compact hit test data.
struct TapEntryPages: Sendable {
  let sources: [TapSource]
  /// The numbers of the features, ascending.
  let shown: Column<UInt32>
  let numbers: TapNumbers
  /// The cluster members by rank among ``shown``.
  let members: TapMembers

  /// The number of features of one job, which ends with a complete page.
  static let size = TapEntryPage.countLimit

  /// A page in its stored form.
  struct Page: Sendable {
    let first: UInt32
    let stream: [UInt8]
    let count: Int
  }

  /// Returns the key of the feature at a rank, and its entry.
  func entry(_ rank: Int) -> (key: [UInt8], json: [UInt8]) {
    withFeature(rank) { source, item, level in
      (source.key(of: item, level), source.entry(of: item, level, members.members(rank)))
    }
  }

  /// Calls `body` with the feature at a rank, and with the level of a cluster.
  private func withFeature<Result>(
    _ rank: Int, _ body: (borrowing TapSource, TapSource.Item, ClusterLevel?) -> Result
  ) -> Result {
    let (number, item) = numbers.owner(of: shown[rank])
    var level: ClusterLevel?
    if case .cluster(let zoom, _) = item { level = sources[number].level(zoom) }
    return body(sources[number], item, level)
  }

  /// Returns the pages of the features at some ranks.
  func pages(_ ranks: Range<Int>, _ deflater: TapDeflater) throws -> [Page] {
    var pages: [Page] = []
    var page = TapEntryPage()
    func end() throws {
      guard let first = page.numbers.first else { return }
      let bytes = page.encoded()
      guard bytes.count <= TapInflater.byteLimit else { throw Self.tooLong }
      pages.append(
        Page(first: first, stream: deflater.compress(bytes), count: page.numbers.count))
      page = TapEntryPage()
    }
    for rank in ranks {
      var entry: [UInt8] = []
      withFeature(rank) { $0.append($1, $2, members: members.members(rank), to: &entry) }
      if page.hasNoRoom(for: entry.count) { try end() }
      page.append(shown[rank], entry)
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
