import HelixModel
import HelixStore

/// The diff of a calendar: its state on both sides at one moment.
final class CollectionDiff {
    /// The calendar as of the last sync.
    var calendar: RemoteCalendar
    let collection: RemoteCollection
    /// Its local name.
    let name: String
    /// The objects as of the last sync, by address.
    var known: [String: SyncedObject] = [:]
    /// Objects that were sent before and may have arrived or not.
    var unsure: [String: SentObject] = [:]
    /// The local changes.
    var local = LocalObjectChanges()
    /// The last change set that ``local`` includes.
    var seen: Int64 = -1
    /// The sync token for the next sync.
    var token: String?
    /// The objects that were written by helix and that the other side lists now.
    var listed: [String] = []
    /// Whether there was no token before.
    var isFirstToken = false
    /// The objects that changed on the other side.
    var wanted: [String] = []
    /// The objects that were deleted on the other side.
    var gone: [String] = []
    /// Whether the mass-deletion guard rejected the deletions.
    var isGuarded = false
    /// Whether the other side did not return all of its objects.
    var isUnfinished = false
    /// Whether there is nothing to do.
    var isQuiet = false

    init(_ calendar: RemoteCalendar, _ collection: RemoteCollection, _ name: String) {
        self.calendar = calendar
        self.collection = collection
        self.name = name
    }
}
