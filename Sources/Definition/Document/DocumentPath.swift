package import Runs

/// One step from a value of a document to one inside it.
package enum DocumentStep: Hashable, Sendable {
  /// The item of a list, from 0.
  case index(Int)
  /// The member of an object.
  case member(String)
}

extension DocumentNode {
  /// The place that a path into the value leads to: the deepest step that exists.
  ///
  /// This is how the key path of an expression's error becomes a line and a column.
  package func place(at path: some Sequence<DocumentStep>) -> DocumentPlace {
    var node = self
    for step in path {
      let next: DocumentNode? =
        switch step {
        case .index(let index):
          node.items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        case .member(let key): node[key]
        }
      guard let next else { break }
      node = next
    }
    return node.place
  }
}
