import Features
import Testing
import Tiling

@Suite("A geometry column")
struct GeometryColumnTests {
  private let points = (0..<5).map { LngLat(longitude: Double($0), latitude: Double(-$0)) }

  @Test("a geometry column appends points in bulk like one by one, behind and before other records")
  func bulk() {
    var bulk = GeometryColumn()
    var single = GeometryColumn()
    for count in [0, 5, 1, 0, 3] {
      bulk.endRecord(.none)
      single.endRecord(.none)
      Array(points.prefix(count)).withUnsafeBufferPointer { bulk.appendPoints($0) }
      for point in points.prefix(count) {
        single.add(point)
        single.endPart(.point)
        single.endRecord(.point)
      }
    }
    #expect(bulk.kinds == single.kinds)
    #expect(bulk.partEnds == single.partEnds)
    #expect(bulk.parts == single.parts)
    #expect(bulk.positionEnds == single.positionEnds)
    #expect(bulk.positions == single.positions)
  }

  @Test("a geometry column copies a record with its parts")
  func copy() {
    var source = GeometryColumn()
    source.endRecord(.none)
    for (index, part) in [GeometryColumn.Part.point, .line, .outerRing].enumerated() {
      source.add(points[index])
      source.add(points[index + 1])
      source.endPart(part)
    }
    source.endRecord(.collection)
    var target = GeometryColumn()
    target.append(1, of: source)
    target.append(0, of: source)
    #expect(target.kinds == [.collection, .none])
    #expect(target.parts == [.point, .line, .outerRing])
    #expect(target.partRange(1).isEmpty)
    #expect(Array(target.positions[target.positionRange(1)]) == [points[1], points[2]])
  }

  @Test("a geometry column keeps the vector tile of each record that has one")
  func tiles() {
    var source = GeometryColumn()
    source.endRecord(.none)
    for tile in [7, nil] as [UInt64?] {
      source.add(points[0])
      source.endPart(.point)
      source.endRecord(.point, tile: tile)
    }
    #expect((0..<3).map { source.tile(of: $0) } == [nil, 7, nil])
    var target = GeometryColumn()
    target.endRecord(.none)
    target.append(records: 1..<3, of: source)
    target.append(1, of: source)
    points.withUnsafeBufferPointer { target.appendPoints($0) }
    target.append(records: 0..<1, of: source)
    #expect(target.tiles.count == target.count)
    #expect((0..<4).map { target.tile(of: $0) } == [nil, 7, nil, 7])
    #expect((4..<target.count).allSatisfy { target.tile(of: $0) == nil })
    var plain = GeometryColumn()
    plain.endRecord(.none)
    #expect(plain.tiles.isEmpty && plain.tile(of: 0) == nil)
    target.removeAll()
    #expect(target.tiles.isEmpty)
  }

  @Test("a geometry column drops only the record under construction")
  func abandon() {
    var column = GeometryColumn()
    column.add(points[0])
    column.endPart(.point)
    column.endRecord(.point)
    let before = column.positions
    column.add(points[1])
    column.endPart(.line)
    column.add(points[2])
    column.abandonRecord()
    #expect(column.positions == before)
    #expect(column.parts == [.point] && column.count == 1)
  }
}
