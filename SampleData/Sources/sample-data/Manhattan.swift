/// Facts about Manhattan that the lots are drawn from: the plan of 1811 and what breaks it.
///
/// Feet are feet of the plan: x from Fifth Avenue, negative to the west. Distances between avenues
/// are those of the commissioners' plan; the rest is rounded to some tens of feet.
enum Manhattan {
  /// The plan's plane: its origin is where Fifth Avenue and 42nd Street meet, and the avenues run
  /// 29° east of north (as a slope: the tangent of 29° is 0.5543).
  static let plane = StreetPlane(
    longitude: -73.9808, latitude: 40.7536, avenues: (east: 0.5543, north: 1))

  /// From Houston Street, which takes the place of a street 0, to the end of the heights.
  static let streets = 0...193
  private static let wideStreets: Set = [
    14, 23, 34, 42, 57, 72, 79, 86, 96, 106, 116, 125, 135, 145, 155,
  ]

  /// How wide a cross street is, in feet.
  static func width(ofStreet street: Int) -> Double { wideStreets.contains(street) ? 100 : 60 }

  /// The middles of the streets along the avenues, in feet; blocks are 202 feet deep.
  static let middles: [Double] = {
    var middles = [0.0]
    for street in streets.dropFirst() {
      middles.append(
        middles[street - 1] + 202 + (width(ofStreet: street - 1) + width(ofStreet: street)) / 2)
    }
    return middles.map { $0 - middles[42] }
  }()

  /// A stretch of an avenue.
  struct Avenue {
    var name: String
    /// Its middle, and how wide it is, in feet.
    var x: Double
    var width = 100.0
    var streets: ClosedRange<Int>
    /// The street that it counts its houses from.
    var first: Int
  }

  /// From west to east.
  static let avenues: [Avenue] = [
    Avenue(name: "Fort Washington Avenue", x: -7320, width: 80, streets: 168...193, first: 158),
    Avenue(name: "12 Avenue", x: -6420, streets: 29...59, first: 22),
    Avenue(name: "Riverside Drive", x: -6190, streets: 125...158, first: 66),
    Avenue(name: "Wadsworth Avenue", x: -5950, width: 75, streets: 174...193, first: 173),
    Avenue(name: "11 Avenue", x: -5520, streets: 20...59, first: 13),
    Avenue(name: "West End Avenue", x: -5520, streets: 59...107, first: 58),
    Avenue(name: "St Nicholas Avenue", x: -5374, streets: 170...193, first: 110),
    Avenue(name: "Audubon Avenue", x: -5000, width: 80, streets: 165...193, first: 164),
    Avenue(name: "10 Avenue", x: -4620, streets: 14...59, first: 13),
    Avenue(name: "Amsterdam Avenue", x: -4620, streets: 59...193, first: 58),
    Avenue(name: "9 Avenue", x: -3720, streets: 14...59, first: 13),
    Avenue(name: "Columbus Avenue", x: -3720, streets: 59...110, first: 58),
    Avenue(name: "Convent Avenue", x: -3880, width: 75, streets: 127...152, first: 126),
    Avenue(name: "8 Avenue", x: -2820, streets: 14...59, first: 11),
    Avenue(name: "Central Park West", x: -2820, streets: 59...110, first: 59),
    Avenue(name: "Frederick Douglass Boulevard", x: -2820, streets: 110...155, first: 0),
    Avenue(name: "7 Avenue", x: -1920, streets: 14...59, first: 11),
    Avenue(name: "Adam C Powell Boulevard", x: -1920, width: 150, streets: 110...155, first: 21),
    Avenue(name: "6 Avenue", x: -1020, streets: 0...59, first: -20),
    Avenue(name: "Lenox Avenue", x: -1020, width: 150, streets: 110...147, first: 110),
    Avenue(name: "5 Avenue", x: 0, streets: 0...142, first: 7),
    Avenue(name: "Madison Avenue", x: 510, width: 80, streets: 23...138, first: 22),
    Avenue(name: "Park Avenue", x: 1020, width: 140, streets: 17...132, first: 32),
    Avenue(name: "Lexington Avenue", x: 1532, width: 75, streets: 21...131, first: 21),
    Avenue(name: "3 Avenue", x: 2040, streets: 5...129, first: 5),
    Avenue(name: "2 Avenue", x: 2750, streets: 0...128, first: 0),
    Avenue(name: "1 Avenue", x: 3500, streets: 0...127, first: 0),
    Avenue(name: "Avenue A", x: 4213, streets: 0...14, first: 0),
    Avenue(name: "York Avenue", x: 4213, streets: 53...92, first: -8),
    Avenue(name: "Avenue B", x: 4930, width: 80, streets: 0...14, first: 0),
    Avenue(name: "East End Avenue", x: 4930, streets: 79...90, first: 79),
    Avenue(name: "Avenue C", x: 5670, width: 80, streets: 0...18, first: 0),
    Avenue(name: "Avenue D", x: 6400, width: 80, streets: 0...13, first: 0),
  ]

  /// Numbers of houses along the cross streets, by feet from Fifth Avenue: a hundred an avenue.
  static let eastNumbers: [(x: Double, number: Double)] = [
    (0, 0), (1020, 100), (2040, 200), (2750, 300), (3500, 400), (4213, 500), (4930, 600),
    (5670, 700), (6400, 800), (8000, 900),
  ]
  static let westNumbers: [(x: Double, number: Double)] = [
    (0, 0), (1020, 100), (1920, 200), (2820, 300), (3720, 400), (4620, 500), (5520, 600),
    (6420, 700), (8000, 860),
  ]

  /// Where the built land ends: the shores, or the parks along them.
  static let edges: [(street: Int, west: Double, east: Double)] = [
    (0, -1300, 7250), (8, -1300, 7150), (14, -4830, 6850), (18, -5200, 5850), (23, -5750, 4720),
    (29, -6480, 4350), (34, -6480, 4050), (42, -6480, 4000), (53, -6480, 4270), (59, -6480, 4430),
    (66, -6200, 4680), (72, -6020, 4900), (79, -6140, 5150), (86, -6200, 5350), (90, -6140, 5150),
    (94, -6080, 4300), (96, -6060, 4030), (108, -6150, 4220), (116, -6270, 4200),
    (124, -6400, 4190), (126, -6950, 3800), (128, -6950, 2900), (130, -6900, 2200),
    (135, -6750, 1250), (138, -6650, 860), (145, -6560, -180), (150, -6500, -900),
    (155, -6450, -1900), (158, -6750, -3800), (165, -7250, -4480), (177, -7900, -4480),
    (188, -8050, -4480), (193, -7800, -4480),
  ]

  /// Broadway above Houston Street, which was there before the plan, as longitude and latitude.
  static let broadway: [(longitude: Double, latitude: Double)] = [
    (-73.9967, 40.7250), (-73.9918, 40.7317), (-73.9909, 40.7352), (-73.9902, 40.7373),
    (-73.9897, 40.7412), (-73.9877, 40.7496), (-73.9857, 40.7577), (-73.9819, 40.7681),
    (-73.9818, 40.7785), (-73.9798, 40.7838), (-73.9722, 40.7937), (-73.9679, 40.8020),
    (-73.9664, 40.8040), (-73.9577, 40.8148), (-73.9502, 40.8267), (-73.9395, 40.8412),
    (-73.9370, 40.8506), (-73.9330, 40.8590),
  ]

  /// A rectangle of the plan, between the middles of two streets and of two avenues, in feet.
  struct Ground {
    var name: String
    var streets: ClosedRange<Int>
    var x: ClosedRange<Double>

    func contains(x: Double, y: Double) -> Bool {
      self.x.contains(x)
        && (middles[streets.lowerBound]...middles[streets.upperBound]).contains(y)
    }
  }

  /// Parks and squares, which are nobody's lots.
  static let parks: [Ground] = [
    Ground(name: "Washington Square", streets: 4...6, x: -520...620),
    Ground(name: "Tompkins Square", streets: 7...10, x: 4213...4930),
    Ground(name: "Union Square", streets: 14...17, x: 640...1100),
    Ground(name: "Madison Square", streets: 23...26, x: 0...510),
    Ground(name: "Bryant Park", streets: 40...42, x: -1020...0),
    Ground(name: "Central Park", streets: 59...110, x: -2820...0),
    Ground(name: "Carl Schurz Park", streets: 84...90, x: 4930...6000),
    Ground(name: "Morningside Park", streets: 110...123, x: -3800 ... -3100),
    Ground(name: "Thomas Jefferson Park", streets: 111...114, x: 3500...5000),
    Ground(name: "Marcus Garvey Park", streets: 120...124, x: 0...510),
    Ground(name: "St Nicholas Park", streets: 128...141, x: -3880 ... -2820),
    Ground(name: "Jackie Robinson Park", streets: 145...152, x: -3880 ... -2820),
  ]

  /// Estates that closed the streets within them.
  static let campuses: [Ground] = [
    Ground(name: "Jacob Riis Houses", streets: 6...13, x: 6400...7500),
    Ground(name: "Stuyvesant Town", streets: 14...20, x: 3500...5670),
    Ground(name: "Penn Station", streets: 31...33, x: -2820 ... -1920),
    Ground(name: "London Terrace", streets: 23...24, x: -4620 ... -3720),
    Ground(name: "Penn South", streets: 24...26, x: -3720 ... -2820),
    Ground(name: "Grand Central", streets: 42...45, x: 510...1020),
    Ground(name: "United Nations", streets: 42...48, x: 3500...4300),
    Ground(name: "Rockefeller Center", streets: 49...50, x: -1020...0),
    Ground(name: "Amsterdam Houses", streets: 61...64, x: -5520 ... -4620),
    Ground(name: "Lincoln Center", streets: 62...65, x: -4620 ... -3720),
    Ground(name: "Natural History", streets: 77...81, x: -3720 ... -2820),
    Ground(name: "Park West Village", streets: 97...100, x: -3720 ... -2820),
    Ground(name: "Frederick Douglass Houses", streets: 100...104, x: -4620 ... -3720),
    Ground(name: "Carver Houses", streets: 99...104, x: 510...1020),
    Ground(name: "Wilson Houses", streets: 105...106, x: 3500...4300),
    Ground(name: "Cathedral", streets: 110...113, x: -4620 ... -3720),
    Ground(name: "Taft Houses", streets: 112...115, x: 0...1020),
    Ground(name: "Columbia University", streets: 114...120, x: -5480 ... -4620),
    Ground(name: "Wagner Houses", streets: 120...124, x: 2750...3500),
    Ground(name: "Grant Houses", streets: 123...125, x: -5480 ... -4620),
    Ground(name: "Lincoln Houses", streets: 132...135, x: 0...510),
    Ground(name: "City College", streets: 135...140, x: -4620 ... -3880),
    Ground(name: "Medical Center", streets: 165...168, x: -7300 ... -5500),
  ]
}
