package import Runs

/// A step from a value of a document to one inside it.
package enum DocumentStep: Hashable, Sendable {
  /// A step to the item of a list, counted from 0.
  case index(Int)
  /// A step to the member of an object.
  case member(String)
}

extension DocumentNode {
  /// Returns the place to which a path into the value points: the place of the deepest step that
  /// exists.
  ///
  /// It turns the key path of an expression's error into a line and a column.
  package func place(at path: some Sequence<DocumentStep>) -> DocumentPlace {
    var node = self
    for step in path {
      guard let next = node.value(at: step) else { break }
      node = next
    }
    return node.place
  }

  /// Returns the value to which a path leads; `nil` if a step of it does not exist.
  package func value(at path: [DocumentStep]) -> DocumentNode? {
    path.reduce(Optional(self)) { $0?.value(at: $1) }
  }

  private func value(at step: DocumentStep) -> DocumentNode? {
    switch step {
    case .index(let index): items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    case .member(let key): self[key]
    }
  }
}
