/// The differences between calendars (CalDAV, RFC 4791) and address books (CardDAV, RFC 6352) on a WebDAV server.
struct DAVService: Sendable {
    /// The namespace of the elements below.
    var namespace: String
    /// The type of its collections.
    var collection: String
    /// The property of a principal with the address of all collections.
    var home: String
    /// The well-known address (RFC 6764).
    var wellKnown: String
    /// The properties asked of collections, beside those of all.
    var properties: String
    /// The element with the text of an object.
    var data: String
    /// The report with the objects at some addresses.
    var multiget: String
    /// The body of the report with all objects.
    var query: String
    /// The media type of objects.
    var mediaType: String
    /// The words for a collection and an object in messages.
    var collectionWord: String

    /// Calendars.
    static let calendars = DAVService(
        namespace: "urn:ietf:params:xml:ns:caldav", collection: "calendar", home: "calendar-home-set",
        wellKnown: "/.well-known/caldav",
        properties: "<A:calendar-color/><C:supported-calendar-component-set/>", data: "calendar-data",
        multiget: "calendar-multiget",
        query: "<C:filter><C:comp-filter name=\"VCALENDAR\"/></C:filter>", mediaType: "text/calendar",
        collectionWord: "calendar")

    /// Address books.
    static let contacts = DAVService(
        namespace: "urn:ietf:params:xml:ns:carddav", collection: "addressbook", home: "addressbook-home-set",
        wellKnown: "/.well-known/carddav", properties: "", data: "address-data", multiget: "addressbook-multiget",
        // RFC 6352 §8.6 requires a filter; one on a property that all have matches all.
        query: "<C:filter><C:prop-filter name=\"FN\"/></C:filter>", mediaType: "text/vcard",
        collectionWord: "address book")

    /// The declarations of namespaces for a request.
    var namespaces: String {
        "xmlns:D=\"DAV:\" xmlns:C=\"\(namespace)\" xmlns:S=\"http://calendarserver.org/ns/\""
            + " xmlns:A=\"http://apple.com/ns/ical/\""
    }

    /// The properties asked of collections.
    var collectionProperties: String {
        "<D:resourcetype/><D:displayname/>\(properties)<S:getctag/><D:sync-token/><D:current-user-privilege-set/>"
    }
}
