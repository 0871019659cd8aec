import MBTiles
import SystemPackage
import TestSupport
import Testing

@testable import Pipeline

/// Where an archive says that readers shall look first.
@Suite("The centre of an archive")
struct CenterTests {
  @Test(
    "lies where tiles were asked for, or else in the middle of the data",
    arguments: [
      ("", "-10,20"), (", bounds: [0, -30, 90, 60]", "25,20"),
      (", bounds: [170, -60, -170, 60]", "-10,20"),
    ])
  func center(bounds: String, place: String) throws {
    let sample = try BuildSample(rows: 0, tiles: "{maxzoom: 1\(bounds)}")
    try sample.folder.write("lng,lat,name\n-70,0,a\n50,40,b\n-50,10,c\n", to: "places.csv")
    try sample.build()
    let archive = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    let center = try #require(archive.metadata["center"])
    #expect(center.hasPrefix(place + ","), "\(center)")
  }
}
