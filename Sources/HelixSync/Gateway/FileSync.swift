import HelixGateway
import HelixModel
import HelixStore

/// Transfers the bytes of the files of projects, whose records are synced already, in the direction in which they are missing.
struct FileSync {
    private let store: Store
    private let account: Account
    private let client: GatewayClient
    private let options: SyncOptions
    private let progress: (String) -> Void
    /// The number of files sent and fetched.
    private(set) var counts = (sent: 0, fetched: 0)
    /// Files that cannot be transferred, with the reasons.
    private(set) var problems: [String] = []
    private(set) var notes: [String] = []

    init(
        _ store: Store, _ account: Account, _ client: GatewayClient, _ options: SyncOptions,
        _ progress: @escaping (String) -> Void
    ) {
        (self.store, self.account, self.client, self.options) = (store, account, client, options)
        self.progress = progress
    }

    /// Runs the transfers.
    /// - Throws: ``HelixError`` if the connection breaks; what was transferred until then is kept.
    mutating func run() throws {
        let files = try store.files()
        guard !files.isEmpty else { return }
        let sent = options.isFull ? [] : try store.replicas(of: account) { try $0.sentFiles() }
        var seen: Set<String> = []
        for file in files where seen.insert(file.sha256).inserted {
            switch store.state(of: file, isThorough: false) {
            case .missing: try fetch(file)
            case .whole where !sent.contains(file.sha256) && account.settings.isReadOnly != true: try send(file)
            case .whole, .changed: break
            }
        }
    }

    private mutating func send(_ file: FileRecord) throws {
        if file.size > ChatAttachment.largest {
            problems.append(
                "'\(file.name)' stays local: a file may have \(ChatAttachment.largest >> 20) MiB at most at a gateway")
            return
        }
        if options.isDryRun {
            counts.sent += 1
            return
        }
        do {
            try transfer(file, "sending").give(file)
        } catch let error as GatewayError {
            // An earlier version of the gateway has no such method, or another device has removed the file meanwhile.
            notes.append("'\(file.name)' was not sent: \(error.message)")
            return
        }
        try store.writeReplicas(of: account) { try $0.noteSent(file.sha256) }
        counts.sent += 1
    }

    private mutating func fetch(_ file: FileRecord) throws {
        if options.isDryRun {
            counts.fetched += 1
            return
        }
        do {
            try transfer(file, "fetching").fetch(file)
        } catch let error as HelixError where error.code == .notFound {
            notes.append("'\(file.name)' is not at the gateway yet: the device that has it sends it with its next sync")
            return
        }
        try store.writeReplicas(of: account) { try $0.noteSent(file.sha256) }
        counts.fetched += 1
    }

    private func transfer(_ file: FileRecord, _ verb: String) -> FileTransfer {
        let (name, progress) = (account.name, progress)
        let start = ContinuousClock.now
        var first: Int?
        return FileTransfer(store, client, .files) { bytes in
            guard file.size > 1 << 20 else { return }
            // A resumed transfer begins somewhere.
            let done = bytes - (first ?? bytes)
            first = first ?? bytes
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            var text = "\(name): \(verb) '\(file.name)' \(bytes >> 20) of \(file.size >> 20) MiB"
            if elapsed >= 1, done > 0 {
                let rate = Double(done) / elapsed
                let tenths = Int(rate / 104_857.6)
                let left = Int((Double(file.size - bytes) / rate).rounded(.up))
                text += ", \(tenths / 10).\(tenths % 10) MiB/s, \(left) s left"
            }
            progress(text)
        }
    }
}

extension SyncOutcome {
    /// Adds the results of file transfers.
    mutating func merge(_ files: FileSync) {
        add(.there, "send", files.counts.sent, "files")
        add(.here, "fetch", files.counts.fetched, "files")
        problems += files.problems
        notes += files.notes
    }
}
