import Foundation
import HelixModel
import HelixNetwork

extension AccountPlan {
    /// Finds the server by the mail address, where that is all that was said.
    private mutating func findJMAP(_ name: String, _ context: CommandContext) throws {
        if let text = path, text.contains("@"), !text.contains("://") {
            servers.address = servers.address ?? text
            path = nil
        }
        guard path == nil, let address = servers.address else { return }
        guard let found = try context.discovery(servers.ca).jmap(address) else {
            throw HelixError(
                .notFound, "the domain of \(address) names no server of JMAP",
                hint: "Your provider says its address: helix account add \(name) jmap https://… --address \(address)")
        }
        // Who can forge answers of the domain name system would get the password.
        guard found.isCertain else {
            throw HelixError(
                .usage, "the domain name system names \(found.url) for \(address), which is a server of another domain",
                hint: "If that is yours: helix account add \(name) jmap \(found.url) --address \(address)")
        }
        path = found.url
    }

    /// Checks an account of JMAP: the address of its session, or of its server.
    mutating func prepareJMAP(_ name: String, _ context: CommandContext) throws {
        try findJMAP(name, context)
        guard let path, let url = URL(string: path), let scheme = url.scheme, let host = url.host,
            ["https", "http"].contains(scheme)
        else {
            throw HelixError(
                .usage, path.map { "'\($0)' is no address of a server" } ?? "an account of JMAP has an address",
                hint: "It begins with https://, such as https://api.fastmail.com/jmap/session.")
        }
        guard url.user == nil, url.password == nil else {
            throw HelixError(
                .usage, "the address has a user name or a password in it",
                hint: "Say them with --user and --password-command.")
        }
        guard servers.imapHost == nil else {
            throw HelixError(.usage, "mail is read by JMAP or by IMAP", hint: "An account by IMAP is one of its own.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .jmap)
        settings.url = path
        // The server sends as well, unless another one is named for that.
        settings.submits = settings.smtp == nil && settings.sendmail == nil ? true : nil
        try oauth.apply(to: &settings, forCalendars: false, beside: servers, in: context)
        guard !settings.login.isEmpty || settings.tokenCommand != nil || settings.oauth != nil else {
            throw HelixError(
                .usage, "nobody is named who signs in", hint: "Name the address: --address ana@example.org.")
        }
        let hasSecret = settings.passwordCommand != nil || settings.tokenCommand != nil || servers.keyring
        guard hasSecret || settings.oauth != nil else {
            throw HelixError(
                .usage, "there is no way to get the password",
                hint: "Name a command that prints it, --password-command 'pass show mail', or a token of the server:"
                    + " --token-command 'pass show jmap'.")
        }
        if scheme == "http", !Endpoint.isLoopback(host) {
            throw HelixError(.usage, "a password would go to \(host) in the clear", hint: "Use https://.")
        }
    }
}
