/// Invents the owners of lots: people, companies of one house, and large holders.
enum LotOwners {
  private static let givenNames = [
    "Ada", "Alma", "Amir", "Anton", "Beatriz", "Caleb", "Chidi", "Clara", "Daniel", "Deborah",
    "Edith", "Elif", "Emil", "Esther", "Felix", "Francesca", "Grace", "Hana", "Henry", "Ines",
    "Irving", "Isaac", "Joaquín", "Judith", "Karim", "Lena", "Leon", "Lucía", "Mabel", "Marcus",
    "Mei", "Miriam", "Nadia", "Noor", "Olga", "Oscar", "Pearl", "Rafael", "Rosa", "Ruth", "Samuel",
    "Sofia", "Theodore", "Viola", "Walter", "Wei", "Yusuf", "Zoë",
  ]
  private static let familyNames = [
    "Abbott", "Acosta", "Baptiste", "Becker", "Bianchi", "Brennan", "Cabrera", "Chan", "Cohen",
    "Dawson", "Delgado", "Ekwueme", "Farrell", "Feldman", "Fong", "Gallo", "Goldberg", "Greene",
    "Haddad", "Hoffmann", "Iyer", "Jensen", "Kaplan", "Kovács", "Larkin", "Lau", "Levine", "Marino",
    "Mensah", "Moreno", "Novak", "Núñez", "O'Hara", "Okafor", "Park", "Petrov", "Quinn", "Rahman",
    "Rossi", "Santos", "Shapiro", "Silva", "Sullivan", "Tanaka", "Tran", "Vargas", "Weiss", "Yang",
  ]
  private static let trees = [
    "Acorn", "Alder", "Ash", "Beech", "Birch", "Cedar", "Chestnut", "Cypress", "Dogwood", "Elm",
    "Hawthorn", "Hemlock", "Hickory", "Juniper", "Larch", "Linden", "Maple", "Oak", "Pine",
    "Poplar",
    "Spruce", "Sycamore", "Walnut", "Willow",
  ]
  private static let places = [
    "Bridge", "Corner", "Court", "Gate", "Harbor", "Hill", "Landing", "Lane", "Meadow", "Mill",
    "Point", "Ridge", "Row", "Square", "Station", "Yard",
  ]
  private static let businesses = [
    "Associates LP", "Equities LLC", "Holdings LLC", "Housing Corp", "Owners Corp",
    "Partners LP", "Properties Inc", "Realty LLC", "Tenants Corp", "Trust",
  ]
  private static let institutions = [
    "City Parks and Grounds", "City School Board", "Saint Brendan's Parish", "Public Library Trust",
    "Island Transit Company", "Harbor Hospital", "Settlement House Fund", "Fire Service",
  ]

  /// The owner of a house at an address; companies own most of what is large.
  static func owner(
    of address: String, isLarge: Bool, isPublic: Bool, _ random: inout RandomNumbers
  ) -> String {
    if isPublic { return random.pick(institutions) }
    let kind = random.unit()
    if kind < (isLarge ? 0.02 : 0.35) {
      return "\(random.pick(givenNames)) \(random.pick(familyNames))"
    }
    if kind < 0.6 { return "\(address) \(random.pick(businesses))" }
    return "\(random.pick(trees)) \(random.pick(places)) \(random.pick(businesses))"
  }
}
