package import Expressions

extension DocumentStep {
  /// Converts the step of an expression's error.
  package init(_ step: KeyStep) {
    switch step {
    case .index(let index): self = .index(index)
    case .member(let name): self = .member(name)
    }
  }
}
