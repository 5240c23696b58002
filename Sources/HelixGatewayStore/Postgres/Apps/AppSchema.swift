import HelixModel

/// The schemas of the family's apps (docs/apps.md): views in the apps' names over the gateway's tables, which show and change
/// what the user of the JSON Web Token may, by the same functions as the gateway's methods.
///
/// PostgREST, which verified the token, sets its claims in the transaction. The role of the apps has rights on the views alone,
/// none on a table.
enum AppSchema {
    /// The role of the apps.
    static let role = "helix_app"
    /// The schemas.
    static let names = ["helix_assistant", "helix_people", "helix_field"]

    /// Tables of the identities and references that only apps know, distributed as the rows that they belong to.
    static let tables = """
        -- The identity of an entity in the apps, if an app chose it; otherwise it is computed (uuid_of).
        CREATE TABLE app_id (
            id text COLLATE "C" PRIMARY KEY,
            uuid uuid NOT NULL
        ) PARTITION BY HASH (id);

        -- The users whom another service knows by a UUID.
        CREATE TABLE app_user (
            uuid uuid PRIMARY KEY,
            "user" text COLLATE "C" NOT NULL
        ) PARTITION BY HASH (uuid);

        CREATE TABLE app_message (
            conversation text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            client_id text COLLATE "C",
            -- The time that the app gave it, to the microsecond.
            sent timestamptz,
            -- Whether a gateway has sent notices of it.
            is_told boolean NOT NULL DEFAULT false,
            PRIMARY KEY (conversation, seq)
        ) PARTITION BY HASH (conversation);
        CREATE UNIQUE INDEX app_message_client ON app_message (conversation, client_id);

        -- The conclusions of an assistant about a conversation, as one of the apps stores them.
        CREATE TABLE app_insight (
            conversation text COLLATE "C" PRIMARY KEY,
            synthesized_at timestamptz,
            synthesis_insights text
        ) PARTITION BY HASH (conversation);

        -- The time at which a message was stored, finer than in the other store, so that apps can order by time.
        ALTER TABLE message ADD COLUMN stored timestamptz;
        ALTER TABLE message ALTER COLUMN stored SET DEFAULT clock_timestamp();

        -- Who is typing, for some seconds.
        CREATE TABLE app_typing (
            conversation text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            since timestamptz NOT NULL,
            PRIMARY KEY (conversation, "user")
        ) PARTITION BY HASH (conversation);

        -- What the views of field work read, without the entities of other kinds.
        CREATE INDEX user_log_field ON user_log ("user", kind)
            WHERE is_current AND kind IN ('project', 'material', 'file', 'time_entry', 'column', 'board');
        CREATE INDEX user_log_project ON user_log ("user", (fields->>'project'))
            WHERE is_current AND kind = 'task' AND fields ? 'project';
        """

    /// The views and the functions behind them, which are replaced as a whole.
    static let functions = [
        claimFunctions, identityFunctions, profileFunctions, logFunctions, assistantFunctions, assistantViews,
        peopleFunctions, peopleViews,
        fieldFunctions, fieldWriting, fieldQueue, fieldViews, noteSubject,
    ].joined(separator: "\n")

    /// The grants of the apps' role.
    static let grants =
        names.map { name in
            """
            REVOKE ALL ON SCHEMA \(name) FROM PUBLIC;
            GRANT USAGE ON SCHEMA \(name) TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(name) TO \(role);
            """
        }.joined(separator: "\n") + "\n"
        + [
            "app_user()", "uuid_of(text)", "app_person(text, text)", "app_date(text)", "app_number(text)",
            "after_break(text)", "app_read_at(text, bigint)",
        ].map { "GRANT EXECUTE ON FUNCTION helix.\($0) TO \(role);" }.joined(separator: "\n")

    /// The settings of the apps' role, which PostgREST applies when it takes the role on: a user's rows are few of many, and
    /// are found by index. An owner who did not make the role may not set them.
    static let settings = """
        DO $$ BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_db_role_setting WHERE setrole = '\(role)'::regrole AND setdatabase = 0) THEN
                \(["enable_hashjoin", "enable_mergejoin", "jit"].map { "ALTER ROLE \(role) SET \($0) = off;" }.joined(separator: " "))
            END IF;
        EXCEPTION WHEN insufficient_privilege OR internal_error THEN
            -- The owner of another database has just set them, and the server refuses the second of two at once.
            NULL;
        END $$
        """

    /// The time of a message `m` with what an app knows of it, `a`: that which the app gave it, or at which it was stored, or,
    /// if it was written earlier on a device, that to the second, and within it in the order of messages.
    static let sentAt = """
        coalesce(a.sent, CASE WHEN m.stored < to_timestamp(m.sent_at + 3) THEN m.stored END,
            to_timestamp(m.sent_at) + (m.seq % 1000000) * interval '1 microsecond')
        """

    /// The statements that make a view, with one trigger for each change that it allows.
    static func view(_ name: String, _ columns: String, changes: [String: String] = [:]) -> String {
        let parts = name.split(separator: ".")
        return "CREATE SCHEMA IF NOT EXISTS \(parts[0]);\n"
            + "CREATE OR REPLACE VIEW \(name) WITH (security_barrier) AS \(columns);\n"
            + changes.sorted { $0.key < $1.key }.map { operation, function in
                """
                CREATE OR REPLACE TRIGGER app_\(operation.lowercased()) INSTEAD OF \(operation) ON \(name)
                    FOR EACH ROW EXECUTE FUNCTION \(function)();
                """
            }.joined(separator: "\n")
    }

    /// The head of a trigger's function, which runs with the owner's rights, and whose failures PostgREST tells by their status.
    static func trigger(_ name: String, _ declarations: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = helix, pg_temp AS $$
        DECLARE
            own text := app_writer();
            at bigint := app_now();
        \(declarations)
        BEGIN
        \(body)
        END $$;
        """
    }
}
