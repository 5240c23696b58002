import FoundationEssentials
import Glibc
import HelixModel
import NIOSSL

/// The TLS certificate of a gateway.
enum GatewayCertificate {
    static func context(_ configuration: GatewayConfiguration) throws -> NIOSSLContext? {
        guard let certificate = configuration.certificate else {
            guard configuration.key == nil else { throw HelixError(.usage, "a key without a certificate") }
            return nil
        }
        guard let key = configuration.key else { throw HelixError(.usage, "a certificate without a key") }
        do {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            tls.minimumTLSVersion = .tlsv12
            // The suites of TLS 1.2 with forward secrecy and authenticated encryption; all suites of TLS 1.3 have both.
            tls.cipherSuites = [
                "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
                "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
            ].joined(separator: ":")
            tls.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw HelixError(
                .configuration, "cannot read the certificate \(certificate) or its key \(key)",
                hint: "Use PEM files that the gateway's process may read.")
        }
    }
}

/// Checks the file modes of a gateway: its key must be private, and its store not writable by others.
enum FileModes {
    /// - Throws: ``HelixError`` of code `configuration`.
    static func check(_ configuration: GatewayConfiguration) throws {
        var info = stat()
        if let key = configuration.key, stat(key, &info) == 0, info.st_mode & 0o007 != 0 || info.st_mode & 0o020 != 0 {
            throw HelixError(
                .configuration, "others may read or write the key \(key)", hint: "Run chmod 600 \(key).")
        }
        for folder in [configuration.folder, configuration.folder + "/users", configuration.folder + "/files"] {
            guard stat(folder, &info) == 0 else { continue }
            guard info.st_mode & 0o022 == 0, info.st_uid == getuid() || getuid() == 0 else {
                throw HelixError(
                    .configuration, "others may write to the gateway's folder \(folder)",
                    hint: "Run chmod 700 \(folder).")
            }
        }
        for file in ["gateway.db", "gateway.db-wal", "metrics-token"].map({ configuration.folder + "/" + $0 }) {
            guard stat(file, &info) == 0 else { continue }
            guard info.st_mode & 0o077 == 0 else {
                throw HelixError(.configuration, "others may read \(file)", hint: "Run chmod 600 \(file).")
            }
        }
    }
}
