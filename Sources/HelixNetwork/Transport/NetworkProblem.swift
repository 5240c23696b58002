import CCurl
import HelixModel

/// Converts errors of libcurl to errors of helix (https://curl.se/libcurl/c/libcurl-errors.html).
enum NetworkProblem {
    /// The error for a connection to `label`.
    static func error(_ problem: helix_curl_problem, _ label: String) -> HelixError {
        var problem = problem
        let text = withUnsafeBytes(of: &problem.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        switch problem.code {
        case 2:
            return HelixError(
                .configuration, "libcurl cannot be opened, and helix reaches servers through it",
                hint: "Install it: apt-get install libcurl4.")
        case 67, 94:
            return HelixError(
                .authentication, "\(label) does not accept the user name or the password",
                hint: "Check the password and the user name; to change them: helix account edit.")
        case 58, 60, 77, 83, 90, 91:
            return HelixError(
                .notAllowed, "the certificate of \(label) cannot be trusted: \(text)",
                hint:
                    "If it is your own authority, set its file with --ca FILE of 'helix account add' and 'edit'."
            )
        case 64:
            return HelixError(
                .notAllowed, "\(label) offers no encryption; nothing was sent to it",
                hint: "Use its TLS port, or ask its administrator.")
        case 1, 3:
            return HelixError(.configuration, "\(label) is not a server address: \(text)")
        case 8:
            return HelixError(.protocol, "\(label) uses another protocol: \(text)")
        case 35 where text.contains("wrong version number") || text.contains("packet length too long"):
            return HelixError(
                .offline, "\(label) answers without TLS on this port",
                hint: "The usual ports of mail servers are 993 and 465 for 'tls', 143 and 587 for 'starttls'; a gateway"
                    + " without TLS is ws://, and only on this machine.")
        case 63:
            return HelixError(.protocol, "\(label) sent an answer that is too large")
        default:
            return HelixError(.offline, "\(label) cannot be reached: \(text)")
        }
    }
}
