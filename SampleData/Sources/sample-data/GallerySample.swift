import Foundation

/// The data of docs/gallery.md: parts of the samples of hotels, lots and rain, the land below them, an
/// archipelago with its relief, and a sprite.
struct GallerySample {
  /// Writes all files into a folder.
  static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("rain"), withIntermediateDirectories: true)
    for (name, bytes) in files() {
      try Data(bytes).write(to: folder.appendingPathComponent(name), options: .atomic)
    }
  }

  /// The files by their names, sorted.
  static func files() -> [(name: String, bytes: [UInt8])] {
    let land = Archipelago()
    var files = [
      ("hotels.csv", Array(hotels().utf8)), ("lots.geojson", Array(lots().utf8)),
      ("newyork.geojson", Array(GeoJSON.polygons(NewYork.land).utf8)),
      ("places.csv", Array(places().utf8)),
      ("streets.geojson", Array(MidtownStreets.collection().utf8)),
      ("britain.geojson", Array(GeoJSON.polygons(BritishIsles.land).utf8)),
      ("islands.geojson", Array(GeoJSON.collection(land.islands).utf8)),
      ("fields.geojson", Array(GeoJSON.collection(land.fields).utf8)),
      ("rivers.geojson", Array(GeoJSON.collection(land.rivers).utf8)),
      ("routes.geojson", Array(GeoJSON.collection(land.routes).utf8)),
      ("relief.png", ReliefSample(terrain: land.terrain).image().png()),
      ("towns.csv", Array(land.towns.utf8)),
      ("map.json", Array(SpriteSample.index(density: 1).utf8)),
      ("map@2x.json", Array(SpriteSample.index(density: 2).utf8)),
      ("map.png", SpriteSample(density: 1).image().png()),
      ("map@2x.png", SpriteSample(density: 2).image().png()),
      ("pin.png", PinSample(density: 1).image().png()),
      ("pin@2x.png", PinSample(density: 2).image().png()),
    ]
    let rain = RainSample(width: 300, height: 400, scale: .fine, isSmooth: true)
    files += [0, 4, 8, 12].map { ("rain/\(RainSample.name($0))", rain.image($0).png()) }
    return files.sorted { $0.0 < $1.0 }
  }

  /// The names on the maps of New York and of the British Isles: cities with their people in
  /// thousands, and waters.
  static func places() -> String {
    let cities = NewYork.places + BritishIsles.places
    return "lng,lat,name,kind,people\n"
      + cities.map { "\($0.longitude),\($0.latitude),\($0.name),city,\($0.people)\n" }.joined()
      + NewYork.waters.map { "\($0.longitude),\($0.latitude),\($0.name),water,0\n" }.joined()
  }

  /// The hotels around New York, with a header and numbers of rooms.
  static func hotels() -> String {
    var sample = HotelSample()
    var rows = ""
    sample.append(rows: 87_000, to: &rows)
    var random = RandomNumbers(seed: 40)
    var text = "lng,lat,name,rooms\n"
    for row in rows.split(separator: "\n") {
      let fields = row.components(separatedBy: ", ")
      guard let longitude = Double(fields[0]), let latitude = Double(fields[1]),
        (-74.6...(-73.4)).contains(longitude), (40.4...41.1).contains(latitude),
        NewYork.isOnLand(longitude, latitude)
      else { continue }
      let rooms = 8 + Int(random.exponential() * 70)
      text += "\(fields[0]),\(fields[1]),\(fields[2]),\(rooms)\n"
    }
    return text
  }

  /// The lots of a part of Midtown, as whole features of the sample.
  static func lots() -> String {
    var sample = LotSample()
    let features = sample.features(limit: .max).filter { feature in
      guard let start = feature.range(of: "[[[") else { return false }
      let first = feature[start.upperBound...].drop { $0 == "[" }.prefix { $0 != "]" }
        .split(separator: ",").compactMap { Double($0) }
      return first.count == 2 && (-73.989...(-73.976)).contains(first[0])
        && (40.7455...40.7522).contains(first[1])
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n"
      + features.joined(separator: ",\n") + "\n]}\n"
  }
}
