import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore
import HelixTasks

/// `projects.*`: projects with their blocks, tasks, time, materials and media (docs/gateway.md, "Methods").
enum ProjectMethods {
    static let all: [GatewayMethod] =
        [
            .user("projects.list", .read) { call, store in
                let assignee = try call.params.text("assigned_user_id", most: 256)
                let status = try call.params.text("status").map { try ProjectMethods.status($0, call.params) }
                try call.params.end()
                let names = assignee.map { ProjectMethods.names(of: $0, call) }
                let found = try store.projects().filter { project in
                    (status == nil || project.status == status)
                        && (names == nil || names?.contains((project.assignee ?? "").lowercased()) == true)
                }
                return .array(found.map(ProjectWire.json))
            },
            .user("projects.get", .read) { call, store in
                let project = try project(&call, store, "id")
                try call.params.end()
                return ProjectWire.json(project)
            },
            .user("projects.create", .write) { call, store in
                var record = ProjectRecord(name: try call.params.needed("title", most: 800), createdAt: call.now)
                try read(&call.params, into: &record)
                let new = try call.newEntity(.project)
                try call.params.end()
                record.id = new.id
                if try new.isMade(in: store) { return ProjectWire.json(try present(record, store)) }
                let made = record
                try call.change("add the project '\(made.name)'", in: store) { change, _ in
                    _ = try change.addProject(made)
                }
                return ProjectWire.json(made)
            },
            .user("projects.update", .write) { call, store in
                var record = try project(&call, store, "id")
                if let title = try call.params.text("title", most: 800) { record.name = title }
                try read(&call.params, into: &record)
                try call.params.end()
                let changed = record
                try call.change("edit the project '\(changed.name)'", in: store) { change, _ in
                    try change.saveProject(changed)
                }
                return ProjectWire.json(changed)
            },
            .user("projects.delete", .write) { call, store in
                let record = try project(&call, store, "id")
                try call.params.end()
                try call.change("delete the project '\(record.name)'", in: store) { change, _ in
                    try change.deleteProject(record)
                }
                return ["id": .string(record.id.text), "deleted": true]
            },
            .user("projects.tasks.list", .read) { call, store in
                let record = try project(&call, store)
                try call.params.end()
                let found = try store.tasks(
                    .project(record.name), order: .board, limit: 2000, zone: .utc,
                    urgency: Urgency(now: call.now, zone: .utc)
                ).tasks.filter { $0.task.project == record.id }
                let links = try store.links(of: found.map(\.task.id))
                return .array(
                    found.enumerated().map { place, details in
                        let own = (links[details.task.id] ?? []).filter {
                            $0.kind == .blocks && $0.b == details.task.id
                        }
                        return ProjectWire.json(details, at: place, waitsFor: own.map(\.a))
                    })
            },
            .user("projects.time.list", .read) { call, store in
                let record = try project(&call, store)
                try call.params.end()
                let entries = try store.timeEntries(in: TimeRange(start: Instant(0), end: .distantFuture), zone: .utc)
                    .filter { details in
                        details.project == record.name && details.entry.start <= call.now
                    }
                let days = Dictionary(grouping: entries) { Zone.utc.date($0.entry.start) }
                return .array(
                    days.sorted { $0.key < $1.key }.map { _, entries in
                        ProjectWire.registration(entries, of: call.session.user.id, now: call.now)
                            .setting("project_id", .string(record.id.text))
                    })
            },
            .user("projects.media.list", .read) { call, store in
                let record = try project(&call, store)
                try call.params.end()
                return .array(try store.files(of: record.id).map(ProjectWire.json))
            },
        ] + blocks + materials

    private static let blocks: [GatewayMethod] = [
        .user("projects.blocks.list", .read) { call, store in
            let record = try project(&call, store)
            try call.params.end()
            return list(record.blocks)
        },
        .user("projects.blocks.create", .write) { call, store in
            let (record, name) = (try project(&call, store), try call.params.needed("title", most: 800))
            try call.params.end()
            try call.change("add the block '\(name)'", in: store) { change, _ in
                try change.addBlock(name, to: record.id, at: .last)
            }
            return list(try present(record, store).blocks)
        },
        .user("projects.blocks.rename", .write) { call, store in
            let (record, name) = (try project(&call, store), try call.params.needed("title", most: 800))
            let other = try call.params.needed("new_title", most: 800)
            try call.params.end()
            try call.change("rename the block '\(name)'", in: store) { change, _ in
                try change.renameBlock(name, to: other, of: record.id)
            }
            return list(try present(record, store).blocks)
        },
        .user("projects.blocks.delete", .write) { call, store in
            let (record, name) = (try project(&call, store), try call.params.needed("title", most: 800))
            try call.params.end()
            try call.change("remove the block '\(name)'", in: store) { change, _ in
                _ = try change.removeBlock(name, of: record.id)
            }
            return list(try present(record, store).blocks)
        },
    ]

    private static let materials: [GatewayMethod] = [
        .user("projects.materials.list", .read) { call, store in
            let record = try project(&call, store)
            try call.params.end()
            return .array(try store.materials(of: record.id).map(ProjectWire.json))
        },
        .user("projects.materials.create", .write) { call, store in
            let record = try project(&call, store)
            var material = MaterialRecord(
                project: record.id, name: try call.params.needed("material_name", most: 800),
                quantity: try amount(&call.params, "quantity") ?? 1,
                unit: try call.params.text("unit", most: 64) ?? "pcs",
                unitPrice: try amount(&call.params, "unit_price") ?? 0)
            material.supplier = try call.params.text("supplier", most: 800)
            material.boughtOn = try call.params.instant("bought_on").map { Zone.utc.date($0) }
            let new = try call.newEntity(.material, in: record.id)
            try call.params.end()
            material.id = new.id
            let made = material
            if try !new.isMade(in: store) {
                try call.change("add '\(made.name)'", in: store) { change, _ in try change.addMaterial(made) }
            }
            return try .array(store.materials(of: record.id).filter { $0.id == made.id }.map(ProjectWire.json))
                .elements?.first ?? .null
        },
        .user("projects.materials.delete", .write) { call, store in
            let record = try project(&call, store)
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            guard let known = try store.materials(of: record.id).first(where: { $0.id == id }) else {
                throw HelixError(.notFound, "unknown material \(id.text)")
            }
            try call.change("delete '\(known.name)'", in: store) { change, _ in try change.deleteMaterial(id) }
            return ["id": .string(id.text), "deleted": true]
        },
    ]

    /// The project that a request names.
    private static func project(
        _ call: inout MethodCall, _ store: Store, _ name: String = "project_id"
    ) throws -> ProjectRecord {
        let id = try call.params.neededIdentity(name)
        guard let found = try store.projects().first(where: { $0.id == id }) else {
            throw HelixError(.notFound, "unknown project \(id.text)")
        }
        return found
    }

    private static func present(_ record: ProjectRecord, _ store: Store) throws -> ProjectRecord {
        try store.projects().first { $0.id == record.id } ?? record
    }

    private static func list(_ blocks: [String]) -> JSONText {
        .array(blocks.enumerated().map { ["title": .string($0.element), "order_index": .integer($0.offset)] })
    }

    /// The names that mean a user: `me`, the identity, or a name.
    private static func names(of word: String, _ call: MethodCall) -> Set<String> {
        let user = call.session.user
        let isOwn = ["me", user.id.text, user.name.lowercased()].contains(word.lowercased())
        return isOwn ? ["me", user.id.text, user.name.lowercased()] : [word.lowercased()]
    }

    /// The status in the words of helix or of the app, which begins with "to plan".
    private static func status(_ word: String, _ params: Params) throws -> ProjectStatus {
        switch word.lowercased().replacing(" ", with: "_").replacing("-", with: "_") {
        case "planned", "to_plan": return .planned
        case "active", "in_progress": return .active
        case "on_hold", "paused": return .onHold
        case "done", "completed": return .done
        default:
            throw params.wrong(
                "status", "must be one of \(ProjectStatus.allCases.map(\.rawValue).joined(separator: ", "))")
        }
    }

    /// Parses the fields that create and update have in common.
    private static func read(_ params: inout Params, into record: inout ProjectRecord) throws {
        func text(_ name: String, _ most: Int, _ set: (String?) -> Void) throws {
            guard params.has(name) else { return }
            let text = try params.text(name, most: most)
            set(text?.isEmpty == true ? nil : text)
        }
        if let word = try params.text("status") { record.status = try status(word, params) }
        try text("customer_name", 800) { record.customer = $0 }
        try text("assigned_user_id", 256) { record.assignee = $0 }
        try text("notes", 1 << 20) { record.notes = $0 }
        if params.has("start_date") { record.start = try params.instant("start_date").map { Zone.utc.date($0) } }
        if params.has("due_date") { record.due = try params.instant("due_date").map { Zone.utc.date($0) } }
    }

    /// An amount: a number, or the text of its exact digits.
    private static func amount(_ params: inout Params, _ name: String) throws -> Decimal? {
        guard let value = params.take(name) else { return nil }
        let text: String? =
            switch value {
            case .number(let digits): digits
            case .string(let text): text
            default: nil
            }
        guard let text, let amount = Decimal(money: text) else { throw params.wrong(name, "must be an amount") }
        return amount
    }
}
