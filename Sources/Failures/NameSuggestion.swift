/// A search for the name that was probably meant by a mistyped one.
package enum NameSuggestion {
  /// Returns the end of a sentence about an unknown name: a question about the nearest of the known
  /// ones, or a full stop where none is near.
  package static func question(_ name: String, among known: [String]) -> String {
    nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? "."
  }

  /// Returns the nearest of some names, if it is near enough to be meant.
  ///
  /// Near enough: at most a third of the letters differ; letter case is ignored.
  package static func nearest(to name: String, among known: [String]) -> String? {
    let typed = Array(name.lowercased().unicodeScalars.prefix(64))
    let allowed = max(1, typed.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = distance(typed, Array(candidate.lowercased().unicodeScalars))
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbour.
  ///
  /// Algorithm: optimal string alignment (Damerau 1964) with three rows.
  /// - Complexity: O(*mn*).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
