import Foundation
import Runs
import SystemPackage

/// A replacer of addresses `local://PATH`, as the render tests of MapLibre write them, by paths in a
/// folder of this machine.
package struct LocalAddresses {
  /// The variable of the environment that names the folder.
  package static let variable = "QUADRILLE_LOCAL"

  static let scheme = "local"

  /// The keys of a source whose values are addresses.
  private static let sourceKeys: Set = ["data", "url", "tiles"]

  private let folder: FilePath

  /// Whether an address was replaced.
  private(set) var isUsed = false

  /// - Parameter folder: the folder; relative to the current one.
  init(in folder: String) {
    self.folder = FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(folder))
  }

  /// Returns a document with the addresses of its sources, sprites and images replaced.
  mutating func resolve(_ root: DocumentNode) -> DocumentNode {
    changed(root) { own, member in
      switch member.key {
      case "sources":
        own.changed(member.node) { own, source in
          own.changed(source.node) { own, key in
            guard Self.sourceKeys.contains(key.key) else { return key.node }
            return key.node.items.map { own.list($0, at: key.node.place) } ?? own.replaced(key.node)
          }
        }
      case "images": own.changed(member.node) { own, image in own.replaced(image.node) }
      case "sprite": own.sprite(member.node)
      default: member.node
      }
    }
  }

  /// Returns a list of addresses, some of them replaced.
  private mutating func list(_ items: [DocumentNode], at place: DocumentPlace) -> DocumentNode {
    var resolved: [DocumentNode] = []
    for item in items { resolved.append(replaced(item)) }
    return DocumentNode(.array(resolved), at: place)
  }

  private mutating func sprite(_ node: DocumentNode) -> DocumentNode {
    guard let items = node.items else { return replaced(node) }
    var resolved: [DocumentNode] = []
    for item in items { resolved.append(changed(item) { $0.replaced($1.node) }) }
    return DocumentNode(.array(resolved), at: node.place)
  }

  /// Returns an object with other values; any other node as it is.
  private mutating func changed(
    _ node: DocumentNode, _ change: (inout LocalAddresses, DocumentMember) -> DocumentNode
  ) -> DocumentNode {
    guard let members = node.members else { return node }
    var resolved: [DocumentMember] = []
    for var member in members {
      member.node = change(&self, member)
      resolved.append(member)
    }
    return DocumentNode(.object(resolved), at: node.place)
  }

  private mutating func replaced(_ node: DocumentNode) -> DocumentNode {
    let prefix = Self.scheme + "://"
    guard let text = node.text, text.hasPrefix(prefix) else { return node }
    isUsed = true
    let path = folder.pushing(FilePath(String(text.dropFirst(prefix.count))))
    return DocumentNode(.string(path.lexicallyNormalized().string), at: node.place)
  }
}
