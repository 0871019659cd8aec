#if canImport(MapKit) && !os(watchOS)
  public import CoreLocation
  public import Foundation
  public import MapKit

  /// An entry of an archive as an annotation of MapKit.
  public final class EntryAnnotation: NSObject, MKAnnotation {
    /// The entry that is shown.
    public let entry: MapEntry

    /// Its place.
    public var coordinate: CLLocationCoordinate2D {
      CLLocationCoordinate2D(
        latitude: entry.coordinate.latitude, longitude: entry.coordinate.longitude)
    }

    /// Its words.
    public var title: String? { entry.title }

    /// Creates the annotation of an entry.
    public init(_ entry: MapEntry) { self.entry = entry }
  }

  extension MKMapView {
    /// Adds and removes annotations as a map goes from one zoom to another.
    public func apply(_ changes: MapEntryChanges) {
      let gone = Set(changes.remove.map(\.key))
      removeAnnotations(
        annotations.filter { ($0 as? EntryAnnotation).map { gone.contains($0.entry.key) } ?? false }
      )
      addAnnotations(changes.add.map { EntryAnnotation($0) })
    }
  }
#endif
