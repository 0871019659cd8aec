import Ingest

/// JSON with places that is not GeoJSON, and that no driver of GDAL reads.
enum ForeignJSON: CaseIterable {
  case overpass, timeline, ckan

  /// A text that no other file has near its beginning.
  var mark: String {
    switch self {
    case .overpass: "Overpass API"
    case .timeline: "\"latitudeE7\""
    case .ckan: "help_show?name=datastore"
    }
  }

  var words: String {
    switch self {
    case .overpass: "an answer of the Overpass API"
    case .timeline: "a history of places from Google"
    case .ckan: "an answer of a CKAN datastore, which has a part of the table"
    }
  }

  /// The command that makes a table of the places, with nothing but Python, or the address that has
  /// it.
  func advice(_ file: String) -> String {
    let (names, rows): (String, String)
    switch self {
    case .overpass:
      names = "'name','lat','lon'"
      rows =
        "[e.get('tags',{}).get('name'),p['lat'],p['lon']] for e in d['elements'] "
        + "for p in [e.get('center',e)] if 'lat' in p"
    case .timeline:
      names = "'time','lat','lon'"
      rows =
        "[p.get('timestamp'),p['latitudeE7']/1e7,p['longitudeE7']/1e7] for p in d['locations'] "
        + "if 'latitudeE7' in p"
    case .ckan:
      return "The whole table is at '/datastore/dump/RESOURCE' of the same host, where RESOURCE is "
        + "the 'resource_id' of this address: 'type: csv' reads it."
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
