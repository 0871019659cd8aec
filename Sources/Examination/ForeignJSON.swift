import Ingest

/// JSON with places that is not GeoJSON, and that no driver of GDAL reads.
enum ForeignJSON: CaseIterable {
  case overpass, timeline

  /// A text that no other file has near its beginning.
  var mark: String {
    switch self {
    case .overpass: "Overpass API"
    case .timeline: "\"latitudeE7\""
    }
  }

  var words: String {
    switch self {
    case .overpass: "an answer of the Overpass API"
    case .timeline: "a history of places from Google"
    }
  }

  /// The command that makes a table of the places, with nothing but Python.
  func advice(_ file: String) -> String {
    let (names, rows) =
      switch self {
      case .overpass:
        (
          "'name','lat','lon'",
          "[e.get('tags',{}).get('name'),p['lat'],p['lon']] for e in d['elements'] "
            + "for p in [e.get('center',e)] if 'lat' in p"
        )
      case .timeline:
        (
          "'time','lat','lon'",
          "[p.get('timestamp'),p['latitudeE7']/1e7,p['longitudeE7']/1e7] for p in d['locations'] "
            + "if 'latitudeE7' in p"
        )
      }
    return "python3 -c \"import csv,json,sys; d=json.load(open(sys.argv[1])); "
      + "csv.writer(open('places.csv','w')).writerows([[\(names)]]+[\(rows)])\" "
      + "\(Self.quoted(file)) makes places.csv of it."
  }

  /// Returns a name as one word of a shell.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "0123456789._/-".utf8.contains(byte)
    }
    return isPlain && !name.isEmpty ? name : "'\(name.replacing("'", with: "'\\''"))'"
  }
}
