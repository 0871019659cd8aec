import Testing

@testable import Examination
@testable import Ingest

@Suite("The names of coordinates in the languages of open data") struct CoordinateNameTests {
  /// Pairs of names, the latitude first.
  private static let pairs = """
    lat/lon Lat/Long LATITUDE/LONGITUDE latitude/longitude Latitud/Longitud Latitudine/Longitudine latt/long
    Breite/Länge breite/laenge BREITE/LAENGE Breitengrad/Längengrad geoBreite/geoLaenge GEO_BREITE/GEO_LAENGE
    geogr_Breite/geogr_Länge breite_wgs84/laenge_wgs84 Breedtegraad/Lengtegraad breedte/lengte
    Breddgrad/Längdgrad bredd/längd breddegrad/lengdegrad breddegrad/længdegrad breiddargráða/lengdargráða
    leveysaste/pituusaste leveys/pituus laiuskraad/pikkuskraad laius/pikkus platums/garums platuma/ilguma
    PLATUMA/ILGUMA szerokosc/dlugosc szerokość_geograficzna/długość_geograficzna szer/dl szer_geogr/dl_geogr
    šířka/délka sirka/delka zeměpisná_šířka/zeměpisná_délka zem_sirka/zem_dlzka šírka/dĺžka
    zemljepisna_širina/zemljepisna_dolžina širina/dužina geografska_sirina/geografska_duzina
    ширина/дужина географска_ширина/географска_дължина географска_ширина/географска_должина
    широта/долгота Широта/Долгота shirota/dolgota широта/довгота шырата/даўгата szélesség/hosszúság
    foldrajzi_szelesseg/foldrajzi_hosszusag γεωγραφικό_πλάτος/γεωγραφικό_μήκος ΠΛΑΤΟΣ/ΜΗΚΟΣ platos/mikos
    enlem/boylam ENLEM/BOYLAM enlik/uzunluq kenglik/uzunlik ендік/бойлық кеңдик/узундук өргөрөг/уртраг
    gjerësi/gjatësi განედი/გრძედი լայնություն/երկայնություն קו_רוחב/קו_אורך רוחב/אורך
    خط_العرض/خط_الطول دائرة_العرض/خط_الطول عرض_جغرافیایی/طول_جغرافیایی عرض/طول عرض_البلد/طول_البلد arz/tul
    अक्षांश/देशांतर अक्षांश/रेखांश akshansh/deshantar অক্ষাংশ/দ্রাঘিমাংশ ਅਕਸ਼ਾਂਸ਼/ਰੇਖਾਂਸ਼ અક્ષાંશ/રેખાંશ
    அட்சரேகை/தீர்க்கரேகை అక్షాంశం/రేఖాంశం ಅಕ್ಷಾಂಶ/ರೇಖಾಂಶ അക്ഷാംശം/രേഖാംശം අක්ෂාංශ/දේශාංශ
    ละติจูด/ลองจิจูด เส้นรุ้ง/เส้นแวง vĩ_độ/kinh_độ vi_do/kinh_do lintang/bujur garis_lintang/garis_bujur
    纬度/经度 緯度/經度 緯度/経度 北緯/東経 위도/경도 WIDO/GYEONGDO ኬክሮስ/ኬንትሮስ latitudo/longitudo lledred/hydred
    domhanleithead/domhanfhad INTPTLAT/INTPTLONG INTPTLAT20/INTPTLON20 ylat/xlong y_lat/x_lon latd/lond
    LATDD/LONDD lat_dd/long_dd pickup_latitude/pickup_longitude venueLat/venueLng stop_lat/stop_lon
    gpslat/gpslong LATI/LONGI lattitude/longtitude N/E n/e north/east nord/est norte/este noord/oost nord/ost
    kuzey/doğu север/восток phi/lambda φ/λ B/L ycoord/xcoord Y/X coord_y/coord_x POINT_Y/POINT_X northing/easting
    """.split(whereSeparator: \.isWhitespace).map { $0.split(separator: "/").map(String.init) }

  @Test("the latitude and the longitude are told apart in any order", arguments: pairs)
  func order(_ names: [String]) throws {
    let (y, x) = (names[0], names[1])
    for (columns, expected) in [
      ([y, x], (1, 0)), ([x, y], (0, 1)), (["id", "Name", y, x], (3, 2)),
    ] {
      let pair = try #require(CoordinateName.pair(among: columns), "\(columns)")
      #expect(pair == expected, "\(columns)")
    }
    #expect(CoordinateName.tell(x: x, y: y))
    #expect(!CoordinateName.tell(x: y, y: x) || CoordinateName(x).latitude.isEmpty == false)
  }

  @Test("words that only look like coordinates do not stand in for them")
  func falseFriends() throws {
    let names = [
      "late", "plate", "along", "long_name", "Platz", "Latin", "latest", "population", "salon",
      "colony", "translation", "belongs", "flat", "video", "sales", "east_share", "temperature",
    ]
    #expect(CoordinateName.pair(among: names) == nil)
    let (x, y) = try #require(CoordinateName.pair(among: names + ["Länge", "Breite"]))
    #expect((x, y) == (names.count, names.count + 1))
    for name in names { #expect(!CoordinateName(name).means(longitude: false), "\(name)") }
    let twins = ["end_lat", "start_lat", "start_lon", "end_lon"]
    let pair = try #require(CoordinateName.pair(among: twins))
    #expect(pair == (2, 1))
  }

  @Test("names of a latitude and a longitude that are exchanged are told, axes are not")
  func exchanged() {
    for names in Self.pairs where CoordinateName(names[0]).means(longitude: false) {
      #expect(CoordinateName.areExchanged(x: names[0], y: names[1]), "\(names)")
    }
    #expect(!CoordinateName.areExchanged(x: "y", y: "x"))
    #expect(!CoordinateName.areExchanged(x: "lon", y: "lat"))
    #expect(!CoordinateName.areExchanged(x: "a", y: "b"))
  }

  @Test("the name of a column of pairs tells their order")
  func orders() {
    for name in ["lonlat", "lnglat", "LonLat", "longitude_latitude", "coordonneesXY", "x_y", "经纬度"]
    {
      #expect(CoordinateName.order(in: name) == .lnglat, "\(name)")
    }
    for name in ["latlon", "latlng", "lat_long", "LatitudeLongitude", "緯度経度", "위경도"] {
      #expect(CoordinateName.order(in: name) == .latlng, "\(name)")
    }
    for name in ["position", "galaxy", "geo", "coordinates"] {
      #expect(CoordinateName.order(in: name) == nil, "\(name)")
    }
  }

  @Test("most places lie on land in one order only")
  func land() {
    for (longitude, latitude) in [
      (13.4, 52.5), (2.35, 48.86), (-3.7, 40.4), (106.8, -6.2), (77.2, 28.6),
    ] {
      #expect(LandMask.contains(longitude: longitude, latitude: latitude))
    }
    for (longitude, latitude) in [
      (0.0, 0.0), (-150, 20), (52.5, 13.4), (180, 90), (400, 10), (.nan, 1),
    ] {
      #expect(!LandMask.contains(longitude: longitude, latitude: latitude))
    }
    var berlin = OrderEvidence()
    for _ in 0..<10 { berlin.add(x: 52.5, y: 13.4) }
    #expect(berlin.verdict == .exchanged)
    var warsaw = OrderEvidence()
    for _ in 0..<10 { warsaw.add(x: 21, y: 52.2) }
    #expect(warsaw.verdict == nil)
    #expect(OrderEvidence().verdict == nil)
  }
}
