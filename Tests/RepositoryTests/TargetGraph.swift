/// The targets of the programs in their layers.
struct TargetGraph {
  private let targets: [PackageManifest.Target]
  private let layers: [Layer]

  init(_ manifest: PackageManifest, layers: [Layer] = Layer.all) {
    targets = manifest.targets.filter { !$0.isForTests }
    self.layers = layers
  }

  /// What is wrong with the graph, a sentence each.
  var faults: [String] {
    var faults: [String] = []
    var listed: Set<String> = []
    for target in targets {
      guard let place = place(of: target.name) else {
        faults.append("the target \(target.name) is in no layer; add it to Layer.all.")
        continue
      }
      for name in target.dependencies {
        if !listed.contains(name) {
          faults.append("Package.swift lists \(target.name) before \(name), which it imports.")
        }
        guard let below = self.place(of: name) else { continue }
        if below.layer > place.layer {
          faults.append(
            "\(target.name) (\(layers[place.layer].name)) imports \(name), which is above it"
              + " (\(layers[below.layer].name)).")
        } else if below.layer == place.layer, layers[place.layer].isSideBySide {
          faults.append(
            "\(target.name) imports \(name), but no target of the layer"
              + " '\(layers[place.layer].name)' imports another.")
        } else if below.layer == place.layer, below.row > place.row {
          faults.append("\(target.name) imports \(name), which its layer lists behind it.")
        }
      }
      listed.insert(target.name)
    }
    return faults
  }

  /// The layer of a target, counted from the bottom, and its row there.
  private func place(of name: String) -> (layer: Int, row: Int)? {
    for (layer, value) in layers.enumerated() {
      if let row = value.members.firstIndex(where: { $0.name == name }) { return (layer, row) }
    }
    return nil
  }

  // MARK: The picture

  /// The picture and the table of ARCHITECTURE.md.
  var markdown: String {
    let width = present.map(\.0.name.count).max() ?? 0
    let rows = present.reversed().enumerated().map { index, row in
      // Imports lead downwards.
      let arrow = index == present.count - 1 ? "▼" : "│"
      return "  \(arrow)  \(row.0.name.padding(to: width))   "
        + row.1.map(\.name).joined(separator: "  ")
    }
    var lines = ["```text"] + rows + ["```", ""]
    lines += ["| Target | Imports | Holds |", "|---|---|---|"]
    for (layer, members) in present {
      if layer.name == "C" {
        let names = members.map { "`\($0.name)`" }.joined(separator: " ")
        lines.append("| \(names) | | C libraries behind module maps and shims |")
        continue
      }
      for member in members {
        let imports = reducedDependencies(of: member.name).joined(separator: ", ")
        let cell = imports.isEmpty ? "" : " \(imports)"
        lines.append("| `\(member.name)` |\(cell) | \(member.holds) |")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The layers with those of their members that Package.swift has, from the bottom up.
  private var present: [(Layer, [Layer.Member])] {
    let names = Set(targets.map(\.name))
    return layers.map { ($0, $0.members.filter { names.contains($0.name) }) }
      .filter { !$0.1.isEmpty }
  }

  /// The Swift targets that a target imports, without those that another of them imports anyway.
  private func reducedDependencies(of name: String) -> [String] {
    let own = dependencies(of: name)
    let implied = own.reduce(into: Set<String>()) { $0.formUnion(closure(of: $1)) }
    return own.filter { !implied.contains($0) && place(of: $0)?.layer != 0 }.sorted()
  }

  private func dependencies(of name: String) -> [String] {
    targets.first { $0.name == name }?.dependencies ?? []
  }

  /// All targets that a target rests on, itself left out.
  private func closure(of name: String) -> Set<String> {
    dependencies(of: name).reduce(into: []) { all, dependency in
      if all.insert(dependency).inserted { all.formUnion(closure(of: dependency)) }
    }
  }
}

extension String {
  /// Blanks behind the text up to a width in characters.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
