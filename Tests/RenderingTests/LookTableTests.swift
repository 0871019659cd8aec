import Raster
import Testing

@testable import Styling

@Suite("A look table")
struct LookTableTests {
  private func stack(_ radius: Double, layer: Int = 0) -> LookStack {
    [StackedLook(layer: layer, look: .circle(CircleLook(radius: radius, color: .black)))]
  }

  @Test("a look table numbers stacks by first use, the empty one 0")
  func numbers() {
    var table = LookTable()
    #expect(table.number(of: []) == 0)
    #expect(table.number(of: stack(1)) == 1)
    #expect(table.number(of: stack(2)) == 2)
    #expect(table.number(of: stack(1)) == 1)
    #expect(table.number(of: stack(1, layer: 1)) == 3)
    #expect(table.stacks == [[], stack(1), stack(2), stack(1, layer: 1)])
    #expect(table.hashes.count == 4)
  }

  @Test("a look table gives a stack the same hash in whatever order stacks come")
  func hashes() {
    var one = LookTable()
    var two = LookTable()
    let stacks = (1...5).map { stack(Double($0)) + stack(Double($0) / 2, layer: 1) }
    for stack in stacks { _ = one.number(of: stack) }
    for stack in stacks.reversed() { _ = two.number(of: stack) }
    for stack in stacks {
      #expect(one.hashes[Int(one.number(of: stack))] == two.hashes[Int(two.number(of: stack))])
    }
    #expect(Set(one.hashes).count == 6)
  }
}
