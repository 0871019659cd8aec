import SQLite
import TapBlocks
import TestSupport
import Testing

@testable import Definition
@testable import Drafts
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Drafts of generated tables, baked as they are: the room of names and circles is read from the
/// archive's compact taps, which hold every drawn disc and the box of every name.
@Suite("Room in drafts") struct DraftRoomTests {
  /// A table, and what its draft is expected to be.
  struct Table: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let count: Int
    let header: String
    var isClustered = false

    /// The rest of a row after its place.
    let values: @Sendable (Int, inout SplitMix64) -> String
  }

  static let tables = [
    Table(testDescription: "names", count: 300, header: "name") { row, _ in "Market \(row)" },
    Table(testDescription: "amounts", count: 250, header: "name,sales") { row, random in
      "Market \(row),\(random.below(90) * random.below(1000))"
    },
    Table(testDescription: "kinds", count: 600, header: "name,kind") { row, random in
      "House \(row),\(["inn", "hotel", "hostel", "motel"][random.below(4)])"
    },
    Table(testDescription: "clusters", count: 1500, header: "name", isClustered: true) { row, _ in
      "Market \(row)"
    },
  ]

  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  /// Writes a table of places around three towns; one in twenty shares the place of the one before.
  private func write(_ table: Table) throws {
    var random = SplitMix64(seed: 49)
    var text = "lng,lat,\(table.header)\n"
    var place = (0.0, 0.0)
    for row in 0..<table.count {
      if row % 20 != 1 {
        let spread = [0.02, 0.2, 2][random.below(3)]
        place = (
          [8.0, 8.9, 11][row % 3] + random.number(in: -spread..<spread),
          [47.0, 48.2, 46][row % 3] + random.number(in: -spread..<spread) * 0.7
        )
      }
      text += "\(place.0),\(place.1),\(table.values(row, &random))\n"
    }
    try sample.folder.write(text, to: "places.csv")
  }

  /// A print of a layer at its place in a block, in px.
  private struct Print {
    let layer: String
    let symbol: Int
    let box: (left: Double, top: Double, right: Double, bottom: Double)
    let isDisc: Bool

    var radius: Double { (box.right - box.left) / 2 }
    var middle: SIMD2<Double> {
      SIMD2(box.left + box.right, box.top + box.bottom) / 2
    }

    /// Returns whether a disc covers a part of a box, or of a disc.
    func meets(_ other: Print) -> Bool {
      let place = SIMD2(
        other.isDisc
          ? other.middle.x : min(max(middle.x, other.box.left), other.box.right),
        other.isDisc
          ? other.middle.y : min(max(middle.y, other.box.top), other.box.bottom))
      let away = place - middle
      let room = radius + (other.isDisc ? other.radius : 0)
      return (away * away).sum() < room * room
    }
  }

  /// Returns the prints of each block of an archive.
  private func blocks(_ path: String, _ layers: [String]) throws -> [[Print]] {
    let archive = try Database(path: path, mode: .readOnly)
    let rows = try archive.prepare("SELECT block_data FROM taps")
    let inflater = TapInflater()
    var blocks: [[Print]] = []
    while try rows.step() {
      let block = try TapBlock(rows.withBytes(0) { try inflater.inflate($0) })
      var prints: [Print] = []
      for symbol in 0..<block.symbols.count {
        for print in block.stacks[Int(block.symbols.stacks[symbol])] {
          func edge(_ edge: Int32, _ anchor: Int32) -> Double {
            let steps = print.isOnPixel ? anchor & ~15 : anchor
            return Double(steps) / Double(TapBlock.steps)
              + Double(edge) / Double(TapBlock.fineSteps)
          }
          let (x, y) = (block.symbols.xs[symbol], block.symbols.ys[symbol])
          prints.append(
            Print(
              layer: layers[Int(print.layer)], symbol: symbol,
              box: (
                edge(print.left, x), edge(print.top, y), edge(print.right, x),
                edge(print.bottom, y)
              ), isDisc: print.isDisc))
        }
      }
      blocks.append(prints)
    }
    return blocks
  }

  @Test("no name lies over a disc, and no bubble of a cluster over another", arguments: tables)
  func room(table: Table) throws {
    try write(table)
    let draft = try sample.draft("places.csv")
    #expect(draft.text.contains("cluster: true") == table.isClustered, "\(draft.text)")
    var definition = try sample.definition(draft)
    definition.tiles.interactivity = Interactivity(format: .compact)
    definition.tiles.maxZoom = min(definition.tiles.maxZoom, 12)
    let report = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
    ).first
    let blocks = try blocks(
      try #require(report?.archive.path), definition.layers.map(\.id))
    var names = 0
    for prints in blocks {
      let labels = prints.filter { $0.layer.hasSuffix("-name") }
      let discs = prints.filter(\.isDisc)
      names += labels.count
      for label in labels {
        #expect(!discs.contains { $0.meets(label) }, "a name of \(draft.text)")
      }
      guard table.isClustered else { continue }
      for (index, disc) in discs.enumerated() {
        #expect(!discs[..<index].contains { disc.meets($0) })
      }
    }
    #expect(names > table.count / 2, "\(names) names: \(draft.text)")
  }
}
