import FoundationEssentials
import HelixModel

/// Delivers messages to several mailboxes of an account; the names of all files share one mark.
public final class MailDeliveries {
    /// The common part of all file names.
    public let mark = EntityID().text
    private let store: Store
    private let account: Account
    /// The mailboxes of the account when the delivery began.
    private let mailboxes: [Mailbox]
    private var deliveries: [String: MailDelivery] = [:]
    private var counts: [String: Int] = [:]

    /// - Throws: ``HelixError``.
    public init(_ store: Store, to account: Account) throws {
        (self.store, self.account) = (store, account)
        mailboxes = try store.mailboxes().map(\.mailbox).filter { $0.account == account.number }
    }

    /// Delivers a message to the mailbox with a name, which is created if the account has none of that name or role.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `io` if the disk is full.
    public func deliver(_ bytes: [UInt8], to name: String, at time: Instant, flags: MessageFlags) throws {
        let target = Self.target(name, among: mailboxes)
        let delivery: MailDelivery
        if let open = deliveries[target] {
            delivery = open
        } else {
            delivery = try MailDelivery(
                folder: store.mailboxFolder(target, in: account), stamp: "\(mark)m\(deliveries.count)n")
            deliveries[target] = delivery
        }
        try delivery.deliver(bytes, at: time, flags: flags)
        counts[target, default: 0] += 1
    }

    /// The name of the existing mailbox that is meant by a name: the one with the same name or, for a top-level name, the same
    /// role; otherwise the name itself.
    public static func target(_ name: String, among mailboxes: [Mailbox]) -> String {
        if let found = mailboxes.first(where: { $0.name.lowercased() == name.lowercased() }) { return found.name }
        guard !name.contains("/"), let role = Mailbox.Role(name: name) else { return name }
        return role == .inbox ? "INBOX" : mailboxes.first { $0.role == role }?.name ?? name
    }

    /// Syncs the names of all files to the disk.
    public func finish() {
        for delivery in deliveries.values { delivery.finish() }
    }
}
