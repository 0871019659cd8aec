/// The combined effect of all entries of one key.
struct KeyEdits: Sendable {
  /// The effect on a record of the source; rows count the log's records.
  enum Action: Hashable, Sendable {
    case replace(Int)
    case change(Int)
    case delete
  }

  /// Entries that found no record.
  struct Dangling: Sendable {
    var count = 0
    /// The first such entry, as an index into the log's entries.
    var first: Int?
    /// Counts an entry. The first one counted is kept, so the order of the calls matters.
    mutating func add(_ entry: Int) {
      count += 1
      if first == nil { first = entry }
    }
  }

  private(set) var action: Action?

  /// Whether there is a record in the end if the source has none.
  private(set) var inserts = false

  /// The rank among all entries of the one that creates the record if the source has none.
  private(set) var rank: Int?

  /// The entries that dangle if the source has a record of the key, and if it has none.
  private(set) var danglingIfThere = Dangling()
  private(set) var danglingIfNot = Dangling()

  /// The rows whose values count, later ones over earlier ones; empty for a deletion.
  private(set) var layers: [Int] = []
  private var isThere = true

  /// Applies the next entry of the key.
  ///
  /// - Parameters:
  ///   - index: its place in the log.
  ///   - rank: its place among all entries in the order in which they take effect.
  mutating func apply(_ entry: EditEntry, index: Int, rank: Int) {
    let row = entry.row.map(Int.init) ?? 0
    if entry.operation != .upsert {
      if !isThere { danglingIfThere.add(index) }
      if !inserts { danglingIfNot.add(index) }
    }
    switch entry.operation {
    case .upsert:
      (isThere, inserts) = (true, true)
      self.rank = self.rank ?? rank
      layers = [row]
      action = .replace(row)
    case .update:
      guard isThere else { return }
      layers.append(row)
      if action == nil { action = .change(row) }
    case .delete:
      (isThere, inserts) = (false, false)
      layers = []
      action = .delete
    }
  }

  /// Replaces all layers by one row.
  mutating func flatten(to row: Int) {
    layers = [row]
    switch action {
    case .replace: action = .replace(row)
    case .change: action = .change(row)
    case .delete, nil: break
    }
  }

  /// Drops what only mattered while entries came.
  mutating func close() { layers = [] }
}
