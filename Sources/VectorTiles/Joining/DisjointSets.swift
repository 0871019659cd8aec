/// Sets of numbers that are joined two at a time (Tarjan's union and find, with path halving).
struct DisjointSets {
  private var parents: ContiguousArray<Int>

  /// Creates a set of its own for each number below `count`.
  init(count: Int) {
    parents = ContiguousArray(0..<count)
  }

  /// Returns the least number of the set.
  ///
  /// - Complexity: O(log n) amortized.
  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Joins the sets of two numbers.
  mutating func join(_ one: Int, _ other: Int) {
    let (a, b) = (first(of: one), first(of: other))
    parents[max(a, b)] = min(a, b)
  }
}
