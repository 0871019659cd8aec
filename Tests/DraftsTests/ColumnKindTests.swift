import Examination
import Features
import Foundation
import Testing

@testable import Drafts
@testable import Ingest

/// Columns of public data sets, by their names and values as these have them, and what they are.
@Suite("Kinds of columns") struct ColumnKindTests {
  /// A line for each column: its name, values that are repeated over sixty records, and its kind. `#`
  /// stands for the number of the record, `~` for two digits by chance.
  private static let columns = """
    latitude | 48.~1; 47.~2 | place
    Breitengrad | 52.~1 | place
    decimalLongitude | -3.~12 | place
    X | 4~1234.5 | place
    the_geom | POINT (8.~1 47.~1) | place
    WKT | POLYGON ((8.~1 47.~1, 8 48, 9 48, 8.~1 47.~1)) | place
    经度 | 116.~1 | place
    OBJECTID | # | identifier
    FID | # | identifier
    id | a# | identifier
    GEOID | 01001#; 06037# | identifier
    MMSI | 3670~1#; 2190~2# | identifier
    Volcano Number | 2100~#; 3530~# | identifier
    NUMBER | 10# | identifier
    osm_id | 4512~# | identifier
    STATEFP | 01; 06; 48 | identifier
    ZIP | 0~10#; 9~21 | identifier
    PLZ | 10115; 80331; 50667; 20095 | identifier
    codigo_postal | 28001; 08001; 41001 | identifier
    CODE_INSEE | 75056; 69123; 13055 | identifier
    AGS | 091620~#; 110000~# | identifier
    siret | 5521003~# | identifier
    Gemeindekennziffer | 10101; 20204; 30303; 41002 | identifier
    telephone | 49301234~#; 331~~# | identifier
    iso_a3 | DEU; FRA; ITA | identifier
    uuid | f81d4fae-7dec-11d0-a765-~# | identifier
    stop_id | de:11000:9~# | identifier
    Kennziffer | # | identifier
    Tax lot | 1; 45; 120; 7501 | identifier
    scalerank | 0; 3; 7; 10 | identifier
    tract | 10~0.02; 20~0.01 | identifier
    parcel | 12-~-# | identifier
    ISTAT | 058091; 015146; 063049 | identifier
    gemeindeschluessel | 5334002; 5315000; 5111000; 9162000 | identifier
    Buurtcode | BU0363~# | identifier
    nuts_id | DE21#; FR10# | identifier
    IATA | B#~; Z#~ | identifier
    kommunnummer | 180; 1280; 1480 | identifier
    รหัส | 10~# | identifier
    郵便番号 | 100-~#; 530-~# | identifier
    phone | +49 30 1234~#; +33 1 ~# | link
    website | https://example.org/#; http://b.example/# | link
    url | www.example.com/# | link
    email | a#@example.org | link
    foto | https://x.example/#.jpg | link
    year | 1998; 2004; 2011 | calendar
    Baujahr | 1890; 1954; 1978; 2003 | calendar
    YEAR_BUILT | 1920; 1965; 1987 | calendar
    année | 2019; 2020; 2021 | calendar
    anio | 2018; 2019 | calendar
    bouwjaar | 1931; 1968; 1999 | calendar
    год | 2010; 2015; 2020 | calendar
    年度 | 2018; 2019; 2020 | calendar
    yearbuilt | 0; 1931; 1899; 2005 | calendar
    YrSold | 2006; 2009; 2010 | calendar
    date | 20240119; 20231203; 20230607 | calendar
    month | 1; 5; 9; 12 | calendar
    Monat | 2; 7; 11 | calendar
    mes | 1; 6; 12 | calendar
    weekday | 0; 3; 6 | calendar
    Wochentag | 1; 4; 7 | calendar
    hour | 0; 8; 17; 23 | calendar
    stunde | 1; 12; 22 | calendar
    erected | 1901; 1955; 2001 | calendar
    Hausnummer | 1; 12; 7a; 103 | houseNumber
    HNR | 4; 18; 27 | houseNumber
    housenumber | 221B; 10; 4 | houseNumber
    civico | 3; 15; 22 | houseNumber
    huisnummer | 12; 14; 18 | houseNumber
    numvoie | 5; 8; 112 | houseNumber
    name | Alpha #; Beta # | name
    NAME_EN | Town # | name
    Bezeichnung | Halle #; Bad # | name
    nom | Lycée #; École # | name
    nombre | Parque # | name
    denominazione | Chiesa # | name
    naam | Gracht # | name
    navn | Fjord # | name
    název | Hrad # | name
    название | Школа # | name
    名称 | 公园# | name
    施設名 | 図書館# | name
    시설명칭 | 도서관# | name
    اسم | مدرسة # | name
    city | Berlin #; Bonn # | name
    Gemeinde | Adorf #; Bdorf # | name
    station_name | Central #; West # | name
    título | Obra # | name
    Shape_Area | 1234.~; 8~21.5 | shapeSize
    SHAPE_Length | 1~4.5 | shapeSize
    LotArea | 5000; 2500; 3~25 | shapeSize
    AREAHA | ~.5; 1~.2 | shapeSize
    PERIMETER | 4~1.25 | shapeSize
    ALAND | 123~#; 99~ | shapeSize
    area_km2 | ~.25 | shapeSize
    Fläche | ~1.5 | shapeSize
    superficie | 1~.75 | shapeSize
    oppervlakte | 2~1 | shapeSize
    площадь | ~3.5 | shapeSize
    面積 | ~.12 | shapeSize
    population | 12~4; 8~; 1~23 | count
    POP2020 | 1~3; ~; 5~# | count
    TOTPOP_CY | 4~1; 3~ | count
    Einwohner | 1~~; 99~; 2~ | count
    Einwohnerzahl | 3~1; 12~~ | count
    habitants | 12~; 3~4 | count
    poblacion | 9~1; 4~ | count
    popolazione residente | 5~2; 7~ | count
    inwoners | 1~1; 2~~ | count
    aantal woningen | ~; 1~ | count
    liczba ludności | 8~; 1~1 | count
    počet obyvatel | 7~; 2~2 | count
    lakosság | 3~; 9~9 | count
    население | 5~1; 1~~ | count
    人口 | 8~1; 12~ | count
    世帯数 | 3~; 4~1 | count
    인구수 | 7~1; 2~ | count
    عدد السكان | 4~; 5~5 | count
    pop_est | 8~123; 1~456 | count
    Installierte Leistung (kW) | 9.~; 1~.5; 250.4 | count
    females | 12~; 3~4 | count
    Join_Count | 0; 3; 12; 7; ~ | count
    beds | 1~; ~; 2~ | count
    capacity | 20; 3~; 1~0 | count
    Anzahl Plätze | 2~; 3~; 4~ | count
    casualties | 0; 1; 2; 3; 5 | count
    deaths | 0; 4; 1~; 2 | count
    passengers | 1~~1; 3~~ | count
    num_bikes_available | 0; 3; 12; 7 | count
    Stellplätze | 1~; 4; ~ | count
    Number of visitors | 1~1; 2~3 | count
    population_density | 1~.5; 3~.1 | share
    PKW je 1000 Einwohner | 5~1; 4~7.5 | share
    cases_per_100k | 12.~; 3~.1 | share
    votes_pct | 4~.1; 3~.2 | share
    pct_unemployed | 4.~; 11.~; 7.2 | share
    Anteil | 12,5 %; 7,1 %; 33 % | share
    Leerstand | 1~,5 %; ~,1 % | share
    Arbeitslosenquote | 3.4; 7.~; 5.1 | share
    taux_chomage | 8.~; 12.1 | share
    porcentaje | 33.~; 12.5 | share
    tasso | 4.~; 2.5 | share
    Wahlbeteiligung | 76,5 %; 81,2 %; 69,9 %; 72 % | share
    turnout | 61.~; 55.2 | share
    stars | 3.5; 4; 4.5; 5 | share
    rating | 4.~; 3.7 | share
    ndvi | 0.~; 0.3~ | share
    인구밀도 | 16~.5; 3~.2 | share
    доля | 12.~; 3.4 | share
    比率 | 0.~1; 0.3 | share
    pop_change | -12.~; 4.~; 8.1 | change
    Veränderung | -3.~; 1.~; 0.4 | change
    growth_rate | -1.~; 2.~ | change
    variación | -2.~; 5.1 | change
    évolution | -1.~; 0.~ | change
    増減 | -1~; 2~; 4 | change
    anomaly | -0.~; 1.~ | change
    price | $1,234.~; $~.00; $2,~5.10 | money
    median_income | 4~123; 5~021 | money
    Median Household Income ($) | 5~,123; 4~,456 | money
    gdp_md_est | 21~5; 3~9 | money
    Miete | 12,50 €; 9,80 €; 1.234 € | money
    precio | 1~9; 22~ | money
    prix_m2 | 3~1.5; 1~22.1 | money
    Kaufkraft | 2~123; 2~456 | money
    HOVAL | 4~.567; 8~.1 | measure
    sales | 1~~4; 9~~ | money
    房价 价格 | 5~012; 6~400 | money
    家賃 | 8~000; 12~000 | money
    mag | 4.~; 5.~; 2.5 | measure
    depth_km | 1~.5; ~.1 | measure
    temperature | 12.~; -3.~; 21 | measure
    Temperatur | 12 °C; 7 °C; 9,5 °C; 15 °C | measure
    precipitation_mm | 0; 3.~; 12.~ | measure
    elevation_ft | 1~0; 3~; 5~1 | measure
    Höhe | 4~; 12~; 7~1 | measure
    altitude | 1~.5; 4~ | measure
    wind_speed | 3.~; 7.~ | measure
    PM2.5 | 12.~; 8.~; 33 | measure
    noise_db | 5~.2; 6~.1 | measure
    Abstand | 12 km; 7 km; 33 km; 8 km | measure
    rms | 0.~; 1.~ | footnote
    horizontalError | 0.~; 3.~ | footnote
    accuracy | 5; 12; 8; 3.5 | footnote
    age_group | 0-4; 5-9; 10-14; 15-19; 85+ | orderedClass
    Altersklasse | unter 18; 18–29; 30–44; 45–59; über 60 | orderedClass
    income_class | < 10,000; 10,000-20,000; 20,000-50,000; > 50,000 | orderedClass
    Lärmpegel | 55–59; 60–64; 65–69; 70–74; ≥ 75 | orderedClass
    risk_level | low; medium; high; very high | orderedClass
    Gefährdung | gering; mittel; hoch | orderedClass
    riesgo | bajo; medio; alto | orderedClass
    intensité | faible; moyen; fort | orderedClass
    tranche | moins de 10; 10 à 19; 20 à 49; 50 et plus | orderedClass
    energielabel | A; B; C; D; E; F; G | orderedClass
    type | school; hospital; park | category
    Nutzung | Wohnen; Gewerbe; Wald | category
    categoria | A1; B2; museo | category
    zoning | R1; R2; C1; M1 | category
    status | open; closed; planned | category
    fclass | bakery; cafe; pub | category
    類型 | 公園; 学校; 病院 | category
    вид | парк; школа; музей | category
    party | CDU; SPD; Grüne; FDP | category
    highway | primary; residential; footway | category
    borough | Queens; Bronx; Brooklyn | category
    time | 2024-05-01T10:00:00Z; 2024-05-02T11:00:00Z | time
    # Timestamp | 01/02/2024 00:00:~; 02/02/2024 10:~:00 | time
    ISO_TIME | 1980-01-01 06:00:00; 1980-01-01 12:00:00 | time
    datum_uhrzeit | 2021-03-04 10:~:00 | time
    inspection_date | 2024-01-12; 2024-02-07; 2023-11-30 | time
    Datum | 19.1.2024; 3.12.2023; 7.6.2023 | time
    opened | 1/19/24; 12/3/2023 | time
    is_open | yes; no | flag
    barrierefrei | ja; nein | flag
    accessible | 0; 1 | flag
    wheelchair | true; false | flag
    gratuit | oui; non | flag
    удобства | да; нет | flag
    description | The first place of number #, which is large and has doors and windows on all sides. | text
    Bemerkung | Siehe Blatt #, dort steht mehr darüber als hier, und im Anhang noch einiges dazu | text
    constant | A | empty
    """

  private struct Case: CustomStringConvertible {
    let name: String
    let values: [String]
    let kind: ColumnKind

    init?(_ line: Substring) {
      let parts = line.split(separator: " | ").map(String.init)
      guard parts.count == 3, let kind = ColumnKind(rawValue: parts[2]) else { return nil }
      name = parts[0].trimmingCharacters(in: .whitespaces)
      values = parts[1].components(separatedBy: "; ")
      self.kind = kind
    }

    var description: String { name }
  }

  private static let lines = columns.split(separator: "\n")
  private static let cases = lines.compactMap(Case.init)

  private func profile(_ column: Case) throws -> (ColumnProfile, Int) {
    let count = 60
    let rows = (0..<count).map { row in
      column.values[row % column.values.count].replacing("#", with: "\(row + 100)")
        .replacing("~", with: "\(10 + row * 37 % 90)")
    }
    var options = CSVOptions()
    options.delimiter = UInt8(ascii: "\t")
    options.hasGeometry = false
    let text = ([column.name] + rows).joined(separator: "\n")
    let examination = try SourceExaminer.examine(
      ExaminationSubject(format: .csv(options), file: "a.csv"),
      open: {
        try CSVReader(
          ByteSource(bytes: Array(text.utf8), name: "a.csv", chunk: 1 << 16), options: options)
      }, advance: { _ in })
    return (try #require(examination.columns.first), count)
  }

  @Test("columns are what their values and names say, identifiers never a measure")
  func kinds() throws {
    #expect(Self.cases.count == Self.lines.count && Self.cases.count >= 150)
    var wrong: [String] = []
    for column in Self.cases {
      let (profile, count) = try profile(column)
      let subject = ColumnRoles.Subject(
        records: count, coordinates: [], hasShapes: column.kind == .shapeSize, isDots: true)
      let kind = ColumnTraits(profile, subject).kind
      if kind != column.kind { wrong.append("\(column.name): \(kind), not \(column.kind)") }
      if [.identifier, .calendar, .houseNumber].contains(column.kind) {
        #expect(!kind.isQuantity, "\(column.name)")
      }
    }
    #expect(
      wrong.isEmpty, "\(wrong.count) of \(Self.cases.count):\n\(wrong.joined(separator: "\n"))")
  }
}
