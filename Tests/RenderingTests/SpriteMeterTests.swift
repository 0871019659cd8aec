import Features
import Raster
import Synchronization
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Scenes of measures alone")
struct SpriteMeterTests {
  /// Says of every sprite that it is a square around its anchor, and notes what it is asked for.
  private final class SquareMeter: SpriteMeter {
    let reach: Int
    let asked = Mutex<[Int]>([])

    init(reach: Int) {
      self.reach = reach
    }

    func extents(of sprites: [UnmeasuredSprite], looks: LookTable) -> [SpriteExtent] {
      asked.withLock { $0 += sprites.map(\.number) }
      let side = 2 * reach
      return sprites.map { _ in
        SpriteExtent(
          originX: -reach, originY: -reach, width: side, height: side,
          rowStarts: ContiguousArray(repeating: 0, count: side),
          rowEnds: ContiguousArray(repeating: Int16(side), count: side), gapMask: [])
      }
    }

    func shows(_ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox) -> Bool { true }
  }

  private static let grid = PixelGrid(zoom: 1)

  private func builder(_ meter: SquareMeter) throws -> SceneBuilder {
    SceneBuilder(
      style: Style(layers: [
        try layer(#"{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": 3}}"#)
      ]), tileSize: 256, scale: 1, snap: 1, bounds: WorldBox(.world), fonts: try fonts.get(),
      meter: meter, threads: 1)
  }

  /// Points of zoom 1, in px from the world's north-west corner.
  private func source(_ places: [(x: Double, y: Double)]) -> SymbolSource {
    SymbolSource(
      id: "s", points: .sample(places.map { LngLat(x: $0.x, y: $0.y, grid: Self.grid) }),
      level: nil)
  }

  @Test(
    "have a symbol in each tile that its extent reaches",
    arguments: [(10, ["1/0/0"]), (30, ["1/0/0", "1/1/0"])])
  func tiles(reach: Int, tiles: [String]) throws {
    var builder = try builder(SquareMeter(reach: reach))
    let scenes = try builder.scenes(of: [source([(x: 236, y: 100)])], zoom: 1)
    #expect((0..<scenes.count).map { "\(scenes.tile($0))" } == tiles)
  }

  @Test("measure a look at a phase once, however many symbols and zooms show it")
  func once() throws {
    let meter = SquareMeter(reach: 4)
    var builder = try builder(meter)
    let source = source([(x: 50, y: 60), (x: 150, y: 160), (x: 300, y: 400)])
    for zoom in [1, 1, 2] { _ = try builder.scenes(of: [source], zoom: zoom) }
    #expect(meter.asked.withLock { $0 } == [0])
  }
}
