import HelixModel
import HelixSQLite

extension Store {
    var files: FileFolder { FileFolder(store: path, scratch: scratch) }

    /// The files of a project, or of all projects, in the order in which they were attached.
    /// - Throws: ``HelixError``.
    public func files(of project: EntityID? = nil) throws -> [FileRecord] {
        try read { try Store.files($0, project == nil ? "1" : "project = ?", project.map { [$0.text] } ?? []) }
    }

    /// The file with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func file(_ id: EntityID) throws -> FileRecord { try read { try Store.file($0, id) } }

    /// Descriptions of the files whose bytes are missing or changed.
    func fileProblems(_ db: Database) throws -> [String] {
        try Store.files(db, "1", []).compactMap { file in
            let state = files.state(file.sha256, size: file.size, isThorough: true)
            return state == .whole ? nil : "the file '\(file.name)' (\(file.id.text.prefix(6))) is \(state.rawValue)"
        }
    }

    static func file(_ db: Database, _ id: EntityID) throws -> FileRecord {
        guard let found = try files(db, "id = ?", [id.text]).first else {
            throw HelixError(.notFound, "unknown file \(id.text)")
        }
        return found
    }

    static func files(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [FileRecord] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM attachment WHERE \(condition) ORDER BY created_at, name, n", arguments: arguments
        ).map {
            try FileRecord(
                id: EntityID(stored: $0["id"]), project: EntityID(stored: $0["project"]), name: $0["name"],
                role: FileRole(rawValue: $0["role"]) ?? .document, sha256: $0["sha256"], size: $0["size"],
                createdAt: Instant($0["created_at"]))
        }
    }

    /// Copies a file next to the store, to be attached; the caller must discard it at the end.
    ///
    /// This happens before the change begins, so that a large file does not block other writers.
    /// - Throws: ``HelixError`` if there is no such file, if it is not a regular file, or if it cannot be read or copied.
    public func stageFile(_ path: String) throws -> StagedFile { try files.stage(path) }

    /// The state of a file's bytes.
    /// - Parameter isThorough: True to read and hash the bytes; otherwise only the size is compared.
    public func state(of file: FileRecord, isThorough: Bool) -> FileState {
        files.state(file.sha256, size: file.size, isThorough: isThorough)
    }

    /// Writes a copy of a file, checked by its hash.
    /// - Throws: ``HelixError`` if its bytes are missing or changed, or if the copy cannot be written.
    public func copy(_ file: FileRecord, to target: String) throws { try files.copy(file, to: target) }

    /// Checks a file's bytes and writes them to an open descriptor.
    /// - Throws: as ``copy(_:to:)``.
    public func copy(_ file: FileRecord, into descriptor: Int32) throws { try files.copy(file, into: descriptor) }

    /// Creates a copy under the file's own name, for another program to open. It is kept for at least a day.
    /// - Throws: as ``copy(_:to:)``.
    public func lend(_ file: FileRecord) throws -> String { try files.lend(file) }

    /// Creates an empty folder for files that another program opens. It is kept for at least a day.
    /// - Throws: ``HelixError``.
    public func lendFolder() throws -> String { try files.lendFolder() }

    /// Deletes the bytes with a hash permanently if they are unreferenced; `helix undo` cannot restore them.
    /// - Returns: True if the bytes were deleted.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func eraseBytes(_ hash: String) throws -> Bool {
        try writeDerived { db in
            guard try !Store.isReferenced(db, hash) else { return false }
            files.erase(hash)
            return true
        }
    }

    static func isReferenced(_ db: Database, _ hash: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM attachment WHERE sha256 = ?1)
                    OR EXISTS (SELECT 1 FROM outgoing WHERE sha256 = ?1)
                    OR EXISTS (SELECT 1 FROM chat_attachment WHERE sha256 = ?1)
                    OR EXISTS (SELECT 1 FROM proposal_change c JOIN proposal_step s
                        ON s.proposal = c.proposal AND s.n = c.step WHERE c.sha256 = ?1 AND s.state = 'pending')
                """, arguments: [hash]) ?? false
    }

    /// Moves bytes to the folder of referenced or removed files after a change. Errors are ignored: the bytes are found in either
    /// place.
    func settleFiles(_ hashes: Set<String>) {
        if hashes.isEmpty { return }
        // Under the write lock, so that no other process attaches the same bytes in between.
        try? writing {
            for hash in hashes { try files.settle(hash, isReferenced: Store.isReferenced(database, hash)) }
            try files.sweep { try Store.isReferenced(database, $0) }
        }
    }
}

extension Change {
    /// Attaches staged bytes to a project.
    ///
    /// The same bytes with the same name and role are attached only once.
    /// - Returns: the file, and whether it is new.
    /// - Throws: ``HelixError``.
    public func attach(
        _ staged: StagedFile, name: String, role: FileRole, to project: EntityID
    ) throws -> (file: FileRecord, isNew: Bool) {
        try store.files.keep(staged)
        let known = try String.fetchOne(
            db, sql: "SELECT id FROM attachment WHERE project = ? AND sha256 = ? AND name = ? AND role = ?",
            arguments: [project.text, staged.hash, name, role.rawValue])
        if let known { return (try Store.file(db, EntityID(stored: known)), false) }
        let file = FileRecord(
            id: EntityID(), project: project, name: name, role: role, sha256: staged.hash, size: staged.size,
            createdAt: store.now)
        try create(
            .file, file.id,
            JournalFields([
                "project": project.text.databaseValue, "name": name.databaseValue, "role": role.rawValue.databaseValue,
                "sha256": file.sha256.databaseValue, "size": file.size.databaseValue,
                "created_at": file.createdAt.seconds.databaseValue,
            ]))
        return (file, true)
    }

    /// Removes a file from its project, and from materials whose receipt it was. Its bytes are removed with the last file that
    /// refers to them.
    /// - Throws: ``HelixError``.
    public func removeFile(_ id: EntityID) throws {
        let materials = try String.fetchAll(db, sql: "SELECT id FROM material WHERE receipt = ?", arguments: [id.text])
        for material in materials {
            try update(.material, EntityID(stored: material), JournalFields(["receipt": .null]))
        }
        try delete(.file, id)
    }

    /// Deletes a material, and its receipt if no other material has it.
    /// - Throws: ``HelixError``.
    public func deleteMaterial(_ id: EntityID) throws {
        let receipt = try String.fetchOne(db, sql: "SELECT receipt FROM material WHERE id = ?", arguments: [id.text])
        try delete(.material, id)
        try tellIfBilled(id, isGone: true)
        guard let receipt else { return }
        let others = try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM material WHERE receipt = ?", arguments: [receipt])
        if others == 0 { try removeFile(EntityID(stored: receipt)) }
    }
}
