import Clustering
import Columns
import Features
import Runs
import TapBlocks

/// A writer of the pages with the entries of features in compact hit test data.
struct TapEntryPages: Sendable {
  let sources: [TapSource]
  /// The numbers of the features, ascending.
  let shown: Column<UInt32>
  let numbers: TapNumbers
  let members: TapMembers

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
  }

  /// The least number of features of one job, which ends with a page.
  static let size = 1024

  /// A page in its stored form.
  struct Page: Sendable {
    let first: UInt64
    let stream: [UInt8]
    /// The hash of its bytes before compression.
    let hash: StableHash
    let count: Int
  }

  /// Returns the entry of a feature.
  func entry(_ number: UInt32) -> TapEntry {
    let (source, item) = numbers.owner(of: number)
    guard case .cluster(let zoom, _) = item else {
      return sources[source].pieces(of: item, nil, [])
    }
    return sources[source].pieces(
      of: item, sources[source].level(zoom),
      members.members(of: number).map { numbers.identifiers[Int($0)] })
  }

  /// Returns the ranks of the features of the next job: it ends where the identifiers end a page, so
  /// that pages do not depend on the jobs.
  func job(from start: Int) -> Range<Int> {
    var end = min(start + Self.size, shown.count)
    while end < shown.count,
      !TapEntryPage.endsPage(numbers.identifiers[Int(shown[end - 1])])
    {
      end += 1
    }
    return start..<end
  }

  /// Returns the pages of the features at some ranks.
  ///
  /// - Parameter compress: returns the stream of a page, given its first identifier, its bytes and
  ///   their hash.
  func pages(
    _ ranks: Range<Int>, compress: (UInt64, [UInt8], StableHash) -> [UInt8]
  ) throws -> [Page] {
    var pages: [Page] = []
    var page = TapEntryPage()
    func end() throws {
      guard let first = page.identifiers.first else { return }
      let bytes = page.encoded()
      guard bytes.count <= TapInflater.byteLimit else { throw Self.tooLong }
      let content = bytes.withUnsafeBytes { ContentHash($0) }
      var hash = StableHash()
      (hash.high, hash.low) = (content.high, content.low)
      pages.append(
        Page(
          first: first, stream: compress(first, bytes, hash), hash: hash, count: page.entries.count)
      )
      page = TapEntryPage()
    }
    for rank in ranks {
      let entry = entry(shown[rank])
      if page.hasNoRoom(for: entry.byteCount) { try end() }
      page.append(numbers.identifiers[Int(shown[rank])], entry)
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
