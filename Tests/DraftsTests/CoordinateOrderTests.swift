import Definition
import Drafts
import Foundation
import Ingest
import PipelineSamples
import Runs
import TestSupport
import Testing

/// The order of two columns of degrees, by names that nobody agreed on.
@Suite("The order of coordinates in drafts") struct CoordinateOrderTests {
  private let sample: DraftSample

  init() throws { sample = try DraftSample() }

  /// A language with a box on the land of a country, south, west, north and east, and three pairs of
  /// names, the latitude first: some say it, some say nothing.
  private static let table = """
    German 47.9 8 53.4 13.8 Breitenang/Längenang Geograf_Breite/Geograf_Länge c1/c2
    Dutch 51.7 5 52.8 6.8 breedteligging/lengteligging noorderbreedte/oosterlengte br/le
    Afrikaans -31 21.5 -27 28 breedtelyn/lengtelyn suidbreedte/ooslengte k_een/k_twee
    Swedish 57.2 13.2 63 16.5 nordlig_bredd/östlig_längd N_koord/E_koord latitud_wgs/longitud_wgs
    Danish 55.3 8.8 56.9 10.2 bredde_wgs84/længde_wgs84 bgrad/lgrad p_br/p_ln
    Norwegian 59.5 7 62 11.5 breddegrd/lengdegrd nordkoordinat/østkoordinat NORD/OST
    Icelandic 64.2 -20.5 65.6 -15.5 breidd_hnit/lengd_hnit hnit_n/hnit_a nordur/austur
    Finnish 61.5 23 66 29 P_koord/I_koord leveys_wgs/pituus_wgs lev_aste/pit_aste
    Estonian 58.2 25 59.3 27.2 laiuskr/pikkuskr geo_laius/geo_pikkus l_kraad/p_kraad
    Latvian 56.4 23 57.4 27 geogr_platums/geogr_garums plat_grad/gar_grad Z_koord/A_koord
    Lithuanian 54.3 22.5 56 25.5 platuma_wgs/ilguma_wgs geo_plat/geo_ilg Š/R
    Polish 50.5 16 53.4 22.5 szerokosc_g/dlugosc_g wsp_szer/wsp_dlug N_szer/E_dlug
    Czech 49 13.5 50.3 17.5 GPS_sirka/GPS_delka z_sirka/z_delka souradnice_1/souradnice_2
    Slovak 48.4 18 49.2 21.5 s_sirka/v_dlzka sirka_gps/dlzka_gps S/V
    Slovene 45.7 14 46.4 15.8 geo_sirina/geo_dolzina g_sirina/g_dolzina S_koord/V_koord
    Croatian 45.3 15.6 46 18.5 sirina_wgs/duzina_wgs geo_sir/geo_duz k1/k2
    Serbian 43 20 45.5 22 геогр_ширина/геогр_дужина ГШ/ГД gs_sirina/gd_duzina
    Bulgarian 42 23.5 43.5 27 геогр_ширина/геогр_дължина GEO_SHIR/GEO_DALZH шир/дълж
    Russian 54 35 60 50 Широта_WGS/Долгота_WGS Ш/Д geo_shirota/geo_dolgota
    Ukrainian 48 25 51 35 шир_WGS84/довг_WGS84 Ш/Д shyrota/dovhota
    Hungarian 46.5 17.5 47.8 21 szelessegi_fok/hosszusagi_fok É/K foldr_szel/foldr_hossz
    Romanian 44.5 22.5 47 27 latitudine_n/longitudine_e N_grade/E_grade coord_a/coord_b
    Greek 39.3 21.4 40.8 22.3 geo_platos/geo_mikos ΓΠ/ΓΜ φ_deg/λ_deg
    Albanian 40.6 19.95 41.8 20.4 gjeresia/gjatesia V/L gjer_gjeo/gjat_gjeo
    Turkish 38 30 40 41 koord_enlem/koord_boylam E/B kuzey_k/dogu_k
    Portuguese -22 -50 -15 -43 latit/longit coord_sul/coord_oeste lat_dec/long_dec
    Spanish 38.5 -6 42.4 -1.7 LATITUD_Y/LONGITUD_X coordenada_norte/coordenada_este pos1/pos2
    French 44.5 .3 49 5.5 latit_wgs84/longit_wgs84 nord_deg/est_deg valeur_1/valeur_2
    Italian 44.8 8 45.7 11.7 lat_gradi/long_gradi gradi_nord/gradi_est N/O
    Arabic 23 43 30 47 عرض_الموقع/طول_الموقع احداثي_ص/احداثي_س dairat_alard/khat_altul
    Persian 31 50.5 36 58 عرض_نقطه/طول_نقطه arz_j/tool_j الف/ب
    Hebrew 31.3 34.9 32.8 35.2 רוחב_גאו/אורך_גאו נצ_צפון/נצ_מזרח rohav/orech
    Hindi 22 75 28 82 अक्षांश_मान/देशांतर_मान aks/des akshansh/rekhansh
    Bengali 23 89 25.5 89.8 অক্ষাংশ/দ্রাঘিমাংশ ak/dr okkhangsho/draghima
    Tamil 10.2 77.3 12.5 78.8 அட்சரேகை/தீர்க்கரேகை atcha/theerka எண்1/எண்2
    Georgian 41.7 42.5 42.3 45 განედი/გრძედი გან/გრძ ganedi_n/grdzedi_e
    Armenian 40 44 40.9 45.3 լայնություն/երկայնություն լայն/երկ layn/yerk
    Kazakh 44 56 51 75 ендік_гр/бойлық_гр endik_wgs/boilyk_wgs Е/Б
    Amharic 7 37 12 41 ኬክሮስ/ኬንትሮስ kekros/kentros ሀ/ለ
    Japanese 35 136 37 139.5 緯度_十進/経度_十進 ido_10/keido_10 X/Y
    """

  struct Country: CustomTestStringConvertible, Sendable {
    let language: String
    let box: [Double]
    let pairs: [(y: String, x: String)]

    var testDescription: String { language }

    init(_ line: Substring) {
      let words = line.split(separator: " ").map(String.init)
      language = words[0]
      box = words[1...4].compactMap(Double.init)
      pairs = words[5...].map { pair in
        let names = pair.split(separator: "/").map(String.init)
        return (names[0], names[1])
      }
    }
  }

  private static let countries = table.split(separator: "\n").map(Country.init)

  /// Returns a table of 30 places in a country.
  private func rows(_ country: Country, _ names: [String], _ random: inout SplitMix64) -> String {
    let rows = (0..<30).map { row in
      let y = random.number(in: country.box[0]..<country.box[2])
      let x = random.number(in: country.box[1]..<country.box[3])
      let place = names[0] < names[1] ? "\(y),\(x)" : "\(x),\(y)"
      return "\(row),place \(row),\(place)"
    }
    return "id,title,\(names.sorted().joined(separator: ","))\n" + rows.joined(separator: "\n")
  }

  @Test("no pair of names in forty languages is exchanged in silence", arguments: countries)
  func pairs(_ country: Country) throws {
    #expect(country.pairs.count == 3 && country.box.count == 4)
    var random = SplitMix64(seed: 3)
    for (y, x) in country.pairs {
      try sample.folder.write(rows(country, [y, x], &random), to: "a.csv")
      let draft: PipelineDraft
      do {
        draft = try sample.draft("a.csv")
      } catch let error as PipelineError {
        #expect(error.message.contains("--x"), "\(y), \(x): \(error.message)")
        continue
      }
      let format = try sample.definition(draft).sources.first?.records?.format
      let options = try #require((format as? CSVSource)?.options)
      // The names that the reader knows by itself are not in the draft.
      #expect([x, nil].contains(options.x) && [y, nil].contains(options.y), "\(draft.text)")
      if !CoordinateName.tell(x: x, y: y), country.box[3] <= 90 {
        #expect(draft.text.contains("# x and y are guesses"), "\(draft.text)")
      }
    }
  }

  @Test("the table has forty languages with 120 pairs")
  func count() {
    #expect(Set(Self.countries.map(\.language)).count == 40)
    #expect(Self.countries.reduce(0) { $0 + $1.pairs.count } == 120)
  }

  @Test(
    "places in the sea that would lie on land are not drafted by names that also mean something else",
    arguments: [
      ("x", "y", true), ("n", "o", true), ("Länge", "Breite", true), ("lon", "lat", false),
    ])
  func contradicted(_ x: String, _ y: String, _ isRefused: Bool) throws {
    // Berlin, with the latitude in the column that is called like a longitude.
    let rows = (0..<30).map { "\($0),\(52.4 + Double($0) / 300),\(13.2 + Double($0) / 200)" }
    let names = x == "n" ? ["o", "n"] : [x, y]
    try sample.folder.write(
      "id,\(names.joined(separator: ","))\n\(rows.joined(separator: "\n"))", to: "a.csv")
    if isRefused {
      let error = #expect(throws: PipelineError.self) { try sample.draft("a.csv") }
      #expect(error?.message.contains("something else than their values") == true)
    } else {
      let draft = try sample.draft("a.csv")
      #expect(draft.text.contains("0 of 30 positions lie on land"), "\(draft.text)")
    }
  }

  @Test("places on small islands are not taken to Africa")
  func islands() throws {
    // Fuerteventura, Ibiza, Mykonos, Samos, Santorini, Lampedusa, Sal, Socotra, Rodrigues.
    let places = [
      (28.4, -14.0), (38.95, 1.4), (37.45, 25.4), (37.75, 26.8), (36.4, 25.45), (35.5, 12.6),
      (16.7, -22.9), (12.5, 53.9), (-19.7, 63.4),
    ]
    for (latitude, longitude) in places {
      let rows = (0..<30).map {
        "\($0),\(latitude + Double($0) / 3000),\(longitude + Double($0) / 2000)"
      }
      try sample.folder.write("id,k1,k2\n\(rows.joined(separator: "\n"))", to: "a.csv")
      if let draft = try? sample.draft("a.csv") {
        let format = try sample.definition(draft).sources.first?.records?.format
        #expect((format as? CSVSource)?.options.x == "k2", "\(draft.text)")
      }
    }
  }
}
