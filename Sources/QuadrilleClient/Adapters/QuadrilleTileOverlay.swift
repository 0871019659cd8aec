#if canImport(MapKit) && !os(watchOS)
  import CoreGraphics
  import CoreLocation
  public import Foundation
  import ImageIO
  public import MapKit

  /// Shows an archive, or packs, in a map of MapKit.
  ///
  /// The map enlarges nothing itself: tiles after the archive's last zoom are cut from the last
  /// zoom's and scaled here. After an update create an overlay of the new archive.
  public final class QuadrilleTileOverlay: MKTileOverlay {
    private let source: TileSource

    /// Creates an overlay of an archive over other content of the map.
    public convenience init(archive: MapArchive) {
      self.init(.archive(archive), minZoom: archive.info.minZoom)
    }

    /// Creates an overlay of the packs on this device, as one map.
    public convenience init(packs: PackSet) { self.init(.packs(packs), minZoom: 0) }

    private init(_ source: TileSource, minZoom: Int) {
      self.source = source
      super.init(urlTemplate: nil)
      minimumZ = minZoom
      // MapKit asks for zooms to 21 at most.
      maximumZ = 21
      tileSize = CGSize(width: 256, height: 256)
      canReplaceMapContent = false
    }

    /// Loads the picture of a tile; an empty one where the archive has none.
    public override func loadTile(
      at path: MKTileOverlayPath, result: @escaping (Data?, (any Error)?) -> Void
    ) {
      let answer = TileAnswer(result)
      let source = source
      let address = TileAddress(zoom: path.z, column: path.x, row: path.y)
      Task { await source.answer(address, with: answer) }
    }

    /// Returns the part of a picture at the size of a whole one, as PNG.
    fileprivate static func enlarged(_ picture: TilePicture) -> Data {
      guard let source = CGImageSourceCreateWithData(picture.data as CFData, nil),
        let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { return Data() }
      let (side, part) = (Double(image.width), picture.part)
      guard
        let context = CGContext(
          data: nil, width: image.width, height: image.width, bitsPerComponent: 8, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { return Data() }
      // The context's origin is at the bottom.
      let scale = side / part.side
      context.draw(
        image,
        in: CGRect(
          x: -part.x * scale, y: (part.y + part.side - 1) * scale, width: scale, height: scale))
      let data = NSMutableData()
      guard let result = context.makeImage(),
        let target = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      else { return Data() }
      CGImageDestinationAddImage(target, result, nil)
      return CGImageDestinationFinalize(target) ? data as Data : Data()
    }
  }

  /// The content of an overlay.
  private enum TileSource: Sendable {
    case archive(MapArchive)
    case packs(PackSet)

    func answer(_ address: TileAddress, with answer: TileAnswer) async {
      do {
        let picture =
          switch self {
          case .archive(let archive): try await archive.picture(address)
          case .packs(let packs): try await packs.picture(address)
          }
        answer.send(
          picture.map {
            $0.part == .whole ? $0.data : QuadrilleTileOverlay.enlarged($0)
          } ?? Data(), nil)
      } catch {
        answer.send(nil, error)
      }
    }
  }

  /// The function that MapKit wants to be called, from any thread.
  private struct TileAnswer: @unchecked Sendable {
    private let result: (Data?, (any Error)?) -> Void

    init(_ result: @escaping (Data?, (any Error)?) -> Void) { self.result = result }

    func send(_ data: Data?, _ error: (any Error)?) { result(data, error) }
  }

  extension MapBox {
    /// The box as MapKit's rectangle, for a map that shows all of it.
    public var mapRect: MKMapRect {
      let corners = [
        MKMapPoint(CLLocationCoordinate2D(latitude: north, longitude: west)),
        MKMapPoint(CLLocationCoordinate2D(latitude: south, longitude: east)),
      ]
      return MKMapRect(
        x: corners[0].x, y: corners[0].y, width: corners[1].x - corners[0].x,
        height: corners[1].y - corners[0].y)
    }
  }
#endif
