// swift-tools-version: 6.2
// A program that embeds Quadrille: it bakes data of its own, reads a tile, and draws a part of the map.
// `make test-kit` builds and runs it.

import PackageDescription

let package = Package(
  name: "Embedding",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a program of your own: .package(url: "…/quadrille", from: "0.2.0").
    .package(name: "Quadrille", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Embedding",
      dependencies: [.product(name: "QuadrilleKit", package: "Quadrille")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
