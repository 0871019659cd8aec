import PipelineSamples
import TestSupport
import Testing

@testable import Queries

/// The counts that the abstract tests of CQL2 expect of Natural Earth's countries (OGC 21-065r2,
/// annex A.9).
@Suite struct StandardDataTests {
  @Test(
    "a query finds as many countries as the standard's tests expect",
    .enabled(if: SharedData.isThere, "needs ../shared/data"),
    arguments: [
      ("S_INTERSECTS(geom,POLYGON((0 40,10 40,10 50,0 50,0 40)))", 8),
      ("S_INTERSECTS(geom,LINESTRING(0 40,10 50))", 4), ("S_DISJOINT(geom,BBOX(0,40,10,50))", 169),
      ("S_DISJOINT(geom,LINESTRING(0 40,10 50))", 173), ("S_DISJOINT(geom,POINT(7.02 49.92))", 176),
      ("S_WITHIN(geom,BBOX(-180,-90,0,90))", 44), ("S_CONTAINS(geom,BBOX(7,50,8,51))", 1),
      ("S_CONTAINS(geom,LINESTRING(7 50,8 51))", 1), ("S_CONTAINS(geom,POINT(7.02 49.92))", 1),
    ])
  func countries(condition: String, count: Int) throws {
    let file = SharedData.path("overlays/ne_110m_admin_0_countries.json")
    let sample = try QuerySample([("countries", "type: geojson, data: '\(file)'")], files: [])
    #expect(try sample.text { ($0.whereText, $0.countsOnly) = (condition, true) } == "\(count)\n")
  }
}
