import HelixModel
import HelixStore

/// A calendar as both sides have it at one moment.
final class CalendarLook {
    /// The calendar as both sides agreed on it.
    var calendar: RemoteCalendar
    let collection: RemoteCollection
    /// What it is called here.
    let name: String
    /// What both sides agreed on, by address.
    var known: [String: AgreedObject] = [:]
    /// What was sent before, of which nobody knows whether it came there.
    var unsure: [String: SentObject] = [:]
    /// What is different here.
    var local = LocalObjectChanges()
    /// The last change set that ``local`` knows of.
    var seen: Int64 = -1
    /// What the other side wants to hear the next time.
    var token: String?
    /// The objects that were written from here and that the other side lists now.
    var listed: [String] = []
    /// Whether there was no token before.
    var isFirstToken = false
    /// The objects that are different there.
    var wanted: [String] = []
    /// The objects that are gone there.
    var gone: [String] = []
    /// Whether what is gone there is not believed.
    var isBraked = false
    /// Whether the other side did not give all that it has.
    var isUnfinished = false
    /// Whether nothing is to be done.
    var isQuiet = false

    init(_ calendar: RemoteCalendar, _ collection: RemoteCollection, _ name: String) {
        self.calendar = calendar
        self.collection = collection
        self.name = name
    }
}
