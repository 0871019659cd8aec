/// The parts of Manhattan that the plan of 1811 left as they were: each has a grid of its own.
struct OldTown {
  var name: String
  /// Its corners counterclockwise as longitude and latitude, convex; roads run along its sides.
  var corners: [(longitude: Double, latitude: Double)]
  /// How far its long streets go east for each foot north.
  var slope: Double
  /// Its cross streets from south to north, and its long streets from west to east. They are this
  /// neighbourhood's, but not in their true places.
  var streets: [String]
  var avenues: [String]

  /// The name of the next road; when all are used up, they come again as new ones.
  static func name(_ names: [String], _ index: Int) -> String {
    let prefixes = ["", "New ", "Little "]
    return prefixes[index / names.count % prefixes.count] + names[index % names.count]
  }

  static let all: [OldTown] = [
    OldTown(
      name: "Battery Park City",
      corners: [
        (-74.0184, 40.7052), (-74.0169, 40.7052), (-74.0135, 40.7175), (-74.0160, 40.7180),
      ], slope: 0.2,
      streets: ["1 Place", "2 Place", "3 Place", "Rector Place", "Albany Street", "Liberty Place"],
      avenues: ["Battery Place", "South End Avenue", "North End Avenue"]),
    OldTown(
      name: "Financial District West",
      corners: [
        (-74.0162, 40.7047), (-74.0142, 40.7043), (-74.0090, 40.7110), (-74.0133, 40.7136),
      ], slope: 0.36,
      streets: [
        "Morris Street", "Exchange Alley", "Rector Street", "Thames Street", "Cedar Street",
        "Liberty Street", "Cortlandt Street", "Dey Street", "Fulton Street",
      ],
      avenues: ["Washington Street", "Greenwich Street", "Trinity Place", "Church Street"]),
    OldTown(
      name: "Financial District East",
      corners: [
        (-74.0138, 40.7040), (-74.0122, 40.7012), (-74.0080, 40.7030), (-74.0012, 40.7068),
        (-74.0090, 40.7110),
      ], slope: 0.85,
      streets: [
        "Whitehall Street", "Broad Street", "William Street", "Wall Street", "Pine Street",
        "Cedar Street", "Maiden Lane", "John Street", "Fulton Street", "Beekman Street",
      ],
      avenues: [
        "Nassau Street", "Stone Street", "Pearl Street", "Water Street", "Front Street",
        "South Street",
      ]),
    OldTown(
      name: "Tribeca",
      corners: [
        (-74.0133, 40.7136), (-74.0090, 40.7110), (-74.0018, 40.7192), (-74.0113, 40.7256),
      ], slope: 0.3,
      streets: [
        "Vesey Street", "Barclay Street", "Park Place", "Murray Street", "Warren Street",
        "Chambers Street", "Reade Street", "Duane Street", "Thomas Street", "Worth Street",
        "Leonard Street", "Franklin Street", "White Street", "Walker Street", "Lispenard Street",
        "Laight Street", "Vestry Street", "Watts Street",
      ],
      avenues: [
        "Washington Street", "Greenwich Street", "Hudson Street", "Varick Street",
        "West Broadway", "Church Street",
      ]),
    OldTown(
      name: "Hudson Square",
      corners: [
        (-74.0113, 40.7256), (-74.0050, 40.7215), (-74.0035, 40.7282), (-74.0108, 40.7291),
      ], slope: 0.15,
      streets: [
        "Canal Street", "Broome Street", "Dominick Street", "Spring Street", "Vandam Street",
        "Charlton Street", "King Street",
      ],
      avenues: ["Washington Street", "Greenwich Street", "Hudson Street", "Varick Street"]),
    OldTown(
      name: "SoHo",
      corners: [
        (-74.0050, 40.7215), (-74.0018, 40.7192), (-73.9967, 40.7252), (-74.0035, 40.7281),
      ], slope: 0.6,
      streets: ["Canal Street", "Grand Street", "Broome Street", "Spring Street", "Prince Street"],
      avenues: [
        "Thompson Street", "Sullivan Street", "West Broadway", "Wooster Street", "Greene Street",
        "Mercer Street",
      ]),
    OldTown(
      name: "Little Italy",
      corners: [
        (-74.0018, 40.7192), (-73.9971, 40.7158), (-73.9943, 40.7242), (-73.9967, 40.7252),
      ], slope: 0.45,
      streets: [
        "Hester Street", "Grand Street", "Broome Street", "Kenmare Street", "Spring Street",
        "Prince Street", "Jersey Street",
      ],
      avenues: [
        "Crosby Street", "Lafayette Street", "Centre Street", "Mulberry Street", "Mott Street",
        "Elizabeth Street",
      ]),
    OldTown(
      name: "Chinatown",
      corners: [
        (-74.0040, 40.7138), (-73.9978, 40.7137), (-73.9971, 40.7158), (-74.0018, 40.7192),
        (-74.0050, 40.7152),
      ], slope: 0.5,
      streets: [
        "Worth Street", "Mosco Street", "Pell Street", "Bayard Street", "White Street",
        "Walker Street",
      ],
      avenues: ["Lafayette Street", "Centre Street", "Baxter Street", "Mulberry Street"]),
    OldTown(
      name: "Two Bridges",
      corners: [
        (-74.0062, 40.7114), (-74.0003, 40.7072), (-73.9915, 40.7092), (-73.9978, 40.7137),
        (-74.0035, 40.7134),
      ], slope: 0.9,
      streets: [
        "Frankfort Street", "Dover Street", "Catherine Street", "Market Street", "Pike Street",
      ],
      avenues: ["Madison Street", "Henry Street", "Monroe Street", "Cherry Street"]),
    OldTown(
      name: "Lower East Side",
      corners: [
        (-73.9978, 40.7137), (-73.9915, 40.7095), (-73.9772, 40.7108), (-73.9774, 40.7171),
        (-73.9943, 40.7242),
      ], slope: 0.37,
      streets: [
        "Monroe Street", "Madison Street", "Henry Street", "East Broadway", "Hester Street",
        "Grand Street", "Broome Street", "Delancey Street", "Rivington Street", "Stanton Street",
      ],
      avenues: [
        "Chrystie Street", "Forsyth Street", "Eldridge Street", "Allen Street", "Orchard Street",
        "Ludlow Street", "Essex Street", "Norfolk Street", "Suffolk Street", "Clinton Street",
        "Attorney Street", "Ridge Street", "Pitt Street", "Columbia Street", "Lewis Street",
      ]),
    OldTown(
      name: "Greenwich Village",
      corners: [
        (-74.0108, 40.7291), (-74.0035, 40.7282), (-73.9971, 40.7370), (-74.0090, 40.7423),
      ], slope: 0.14,
      streets: [
        "Clarkson Street", "Leroy Street", "Morton Street", "Barrow Street", "Grove Street",
        "Christopher Street", "Charles Street", "Perry Street", "Bank Street", "Bethune Street",
        "Jane Street", "Horatio Street", "Gansevoort Street",
      ],
      avenues: [
        "Washington Street", "Greenwich Street", "Hudson Street", "Bleecker Street",
        "Bedford Street", "Waverly Place",
      ]),
    OldTown(
      name: "Inwood",
      corners: [
        (-73.9285, 40.8655), (-73.9235, 40.8592), (-73.9165, 40.8605), (-73.9112, 40.8690),
        (-73.9160, 40.8715), (-73.9220, 40.8712),
      ], slope: 0.95,
      streets: [
        "Dyckman Street", "Thayer Street", "Academy Street", "West 204 Street", "West 207 Street",
        "Isham Street", "West 211 Street", "West 213 Street", "West 215 Street",
      ],
      avenues: [
        "Seaman Avenue", "Cooper Street", "Vermilyea Avenue", "Sherman Avenue", "Post Avenue",
        "Nagle Avenue",
      ]),
  ]
}
