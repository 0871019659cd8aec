import MBTiles
import SQLite

/// The data of the keys that either of two successive deltas changes, after both.
struct MergedEntries {
  private let old: EntryRows
  private let new: EntryRows

  init(_ first: DeltaReader, _ second: DeltaReader) throws(ArchiveError) {
    old = try EntryRows(first)
    new = try EntryRows(second)
  }

  /// Writes the entries, each in place of its own earlier one or of a removed one, and then the
  /// removed keys whose place no entry takes.
  ///
  /// - Returns: the number of entries written.
  func write(to rows: DeltaRows) throws(ArchiveError) -> Int {
    let (oldGone, newGone) = (Set(old.gone), Set(new.gone))
    let kept = old.keys.filter { new.rows[$0] == nil && !newGone.contains($0) }
    var gone =
      (old.gone.filter { new.rows[$0] == nil } + new.gone.filter { startHas($0, oldGone) })[...]
    for (source, key) in new.keys.map({ (new, $0) }) + kept.map({ (old, $0) }) {
      let replaced = startHas(key, oldGone) ? key : gone.popFirst()
      try rows.insertEntry(key, try source.entry(of: key), replacing: replaced)
    }
    for key in gone { try rows.drop(entry: key) }
    return new.keys.count + kept.count
  }

  /// Whether the archive that the first delta starts from has a key, which one of the deltas
  /// changes.
  private func startHas(_ key: [UInt8], _ oldGone: Set<[UInt8]>) -> Bool {
    if let row = old.rows[key] { return row.isChange }
    return oldGone.contains(key) || new.rows[key]?.isChange ?? true
  }
}

/// The keys of one delta.
private final class EntryRows {
  struct Row {
    var number: Int64

    /// Whether the archive before this delta had the key.
    var isChange: Bool
  }

  private(set) var rows: [[UInt8]: Row] = [:]

  /// The keys with new data, in the order of their rows.
  private(set) var keys: [[UInt8]] = []

  /// The keys that the archive after this delta no longer has.
  private(set) var gone: [[UInt8]] = []

  private let delta: DeltaReader
  private let selection: Statement

  init(_ delta: DeltaReader) throws(ArchiveError) {
    self.delta = delta
    selection = try delta.rows("SELECT key_json FROM new_keymap WHERE rowid = ?1")
    let all = try delta.rows("SELECT rowid, key_name, replaces FROM new_keymap ORDER BY rowid")
    while try delta.attempt({ () throws(SQLiteError) in try all.step() }) {
      let key = try delta.text(all, 1)
      let replaced = all.kind(2) == .null ? nil : try delta.text(all, 2)
      if let replaced, replaced != key { gone.append(replaced) }
      let row = Row(number: all.integer(0), isChange: replaced == key)
      guard rows.updateValue(row, forKey: key) == nil else {
        throw delta.damaged("a key stands for two things")
      }
      keys.append(key)
    }
    let dropped = try delta.rows("SELECT key_name FROM dropped_keymap ORDER BY rowid")
    while try delta.attempt({ () throws(SQLiteError) in try dropped.step() }) {
      gone.append(try delta.text(dropped, 0))
    }
  }

  /// Returns the data of a key.
  func entry(of key: [UInt8]) throws(ArchiveError) -> [UInt8] {
    let number = rows[key]?.number ?? 0
    let isThere = try delta.attempt { () throws(SQLiteError) in
      selection.reset()
      try selection.bind(number, at: 1)
      return try selection.step()
    }
    guard isThere else { throw delta.damaged("a row is missing") }
    return try delta.text(selection, 0)
  }
}
