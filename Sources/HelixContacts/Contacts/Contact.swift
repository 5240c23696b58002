import HelixModel

/// A person, an organization or a group, as its vCard tells.
public struct Contact: Hashable, Sendable {
    /// The kind of a contact (RFC 6350 §6.1.4).
    public enum Kind: String, Sendable, CaseIterable {
        case person
        case organization
        case group
    }

    /// A value with its labels: an address, a number.
    public struct Value: Hashable, Sendable {
        /// The value, without a scheme.
        public var text: String
        /// The labels, in lower case: `work`, `home`, `cell`, or words of the user's own.
        public var labels: [String]
        /// The rank of preference, 1 for the most preferred; nil without one.
        public var preference: Int?

        /// Creates a value.
        public init(_ text: String, labels: [String] = [], preference: Int? = nil) {
            (self.text, self.labels, self.preference) = (text, labels, preference)
        }
    }

    /// The kind.
    public var kind: Kind = .person
    /// The name to show; never empty if the contact has any name, organization or address.
    public var name = ""
    /// The family names.
    public var familyName = ""
    /// The given names.
    public var givenName = ""
    /// Further names.
    public var additionalName = ""
    /// Titles before and after the name.
    public var prefix = ""
    /// Titles after the name.
    public var suffix = ""
    /// The nicknames.
    public var nicknames: [String] = []
    /// The e-mail addresses, in the order of the card.
    public var emails: [Value] = []
    /// The telephone numbers.
    public var phones: [Value] = []
    /// The postal addresses, a line for each part.
    public var places: [Value] = []
    /// The parts of each postal address: street with box and extension, city, region, code, country.
    public var placeParts: [[String]] = []
    /// The addresses of pages.
    public var pages: [Value] = []
    /// The addresses of messengers, with their scheme: `xmpp:ana@example.com`.
    public var messengers: [Value] = []
    /// The organization, with its units after commas.
    public var organization: String?
    /// The position in the organization.
    public var title: String?
    /// The birthday.
    public var birthday: ContactDate?
    /// The anniversary.
    public var anniversary: ContactDate?
    /// The notes.
    public var notes: String?
    /// The groups that it names itself a member of (CATEGORIES).
    public var categories: [String] = []
    /// The members of a group: UIDs, or addresses.
    public var members: [String] = []
    /// Whether it has a photo or a logo.
    public var hasPhoto = false

    /// Creates an empty contact.
    public init() {}

    /// The e-mail address to write to: the most preferred one, or else the first.
    public var email: String? { Contact.preferred(emails)?.text }
    /// The telephone number to call.
    public var phone: String? { Contact.preferred(phones)?.text }

    private static func preferred(_ values: [Value]) -> Value? { ordered(values).first }

    /// Values, the preferred ones first, and the others in their order.
    public static func ordered(_ values: [Value]) -> [Value] {
        values.enumerated().sorted {
            ($0.element.preference ?? 101, $0.offset) < ($1.element.preference ?? 101, $1.offset)
        }.map(\.element)
    }

    /// The name by which lists are sorted: the family name first.
    public var sortName: String {
        let names = [familyName, givenName].filter { !$0.isEmpty }
        return names.isEmpty ? name : names.joined(separator: " ")
    }
}
