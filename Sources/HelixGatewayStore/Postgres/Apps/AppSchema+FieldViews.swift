extension AppSchema {
    /// The UUID by which apps know an entity.
    private static func id(_ expression: String) -> String {
        "coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = \(expression)), helix.uuid_of(\(expression)))"
    }

    private static func moment(_ expression: String) -> String { "to_timestamp((\(expression))::bigint)" }

    private static func entities(_ kind: String) -> String {
        """
        helix.user_log l WHERE l."user" = (SELECT helix.app_user()) AND l.is_current AND l.kind = '\(kind)'
            AND l.fields IS NOT NULL
        """
    }

    private static let updatedAt = moment("coalesce(l.changed_at, (l.fields->>'created_at')::bigint)")

    static let fieldViews =
        view(
            "helix_field.projects",
            """
            SELECT \(id("l.id")) AS id, l.fields->>'name' AS title, l.fields->>'customer' AS customer_name,
                CASE l.fields->>'status' WHEN 'planned' THEN 'to plan' ELSE l.fields->>'status' END AS status,
                helix.app_date(l.fields->>'start') AS start_date,
                helix.app_person(l."user", l.fields->>'assignee') AS assigned_user_id,
                'synced'::text AS sync_status, now() AS last_sync, \(moment("l.fields->>'created_at'")) AS created_at,
                \(updatedAt) AS updated_at
            FROM \(entities("project"))
            """, changes: ["INSERT": "insert_project", "UPDATE": "update_project", "DELETE": "delete_project"]) + "\n"
        + view(
            "helix_field.project_tasks",
            """
            SELECT \(id("l.id")) AS id, \(id("l.fields->>'project'")) AS project_id, l.fields->>'block' AS block_title,
                coalesce(l.fields->>'notes', l.fields->>'title') AS task_description,
                l.fields->>'kind' <> 'task' AS is_info_block, l.fields->>'state' <> 'open' AS is_completed,
                (row_number() OVER (PARTITION BY l.fields->>'project' ORDER BY (SELECT (c.fields->>'position')::int
                    FROM helix.user_log c WHERE c."user" = l."user" AND c.id = l.fields->>'column_id' AND c.is_current),
                    l.fields->>'rank' COLLATE "C") - 1)::integer AS order_index,
                'synced'::text AS sync_status, \(updatedAt) AS updated_at
            FROM \(entities("task")) AND l.fields ? 'project'
            """,
            changes: [
                "INSERT": "insert_project_task", "UPDATE": "update_project_task", "DELETE": "delete_project_task",
            ]) + "\n"
        + view(
            "helix_field.time_registrations",
            """
            SELECT \(id("l.id")) AS id, \(id("l.fields->>'project'")) AS project_id, \(id("l.\"user\"")) AS user_id,
                \(moment("l.fields->>'start'")) AS start_time,
                \(moment("coalesce(b.fields->>'end', l.fields->>'end')")) AS end_time,
                coalesce((b.fields->>'start')::bigint - (l.fields->>'end')::bigint, 0)::integer / 60 AS break_duration,
                coalesce(l.fields->>'title', '') AS description, 'synced'::text AS sync_status,
                to_timestamp(l.changed_at) AS updated_at
            FROM (SELECT * FROM \(entities("time_entry"))) l LEFT JOIN helix.user_log b ON b."user" = l."user"
                AND b.id = helix.after_break(l.id) AND b.is_current AND b.fields IS NOT NULL
            WHERE NOT (l.fields ? 'origin' AND l.id = helix.after_break(l.fields->>'origin'))
            """, changes: ["INSERT": "insert_time", "UPDATE": "update_time", "DELETE": "delete_time"]) + "\n"
        + view(
            "helix_field.project_materials",
            """
            SELECT \(id("l.id")) AS id, \(id("l.fields->>'project'")) AS project_id, l.fields->>'name' AS material_name,
                helix.app_number(l.fields->>'quantity') AS quantity, l.fields->>'unit' AS unit,
                helix.app_number(l.fields->>'unit_price') AS unit_price, l.fields->>'supplier' AS supplier,
                (SELECT f.fields->>'name' FROM helix.user_log f WHERE f."user" = l."user" AND f.id = l.fields->>'receipt'
                    AND f.is_current) AS receipt_photo_path,
                'synced'::text AS sync_status, \(moment("l.fields->>'created_at'")) AS created_at, \(updatedAt) AS updated_at
            FROM \(entities("material"))
            """, changes: ["INSERT": "write_material", "UPDATE": "write_material", "DELETE": "delete_material"]) + "\n"
        + view(
            "helix_field.media_files",
            """
            SELECT \(id("l.id")) AS id, \(id("l.fields->>'project'")) AS project_id, l.fields->>'name' AS file_path,
                CASE WHEN l.fields->>'name' ~* '[.](jpe?g|png|gif|heic|webp)$' THEN 'image'
                    WHEN l.fields->>'name' ~* '[.](mp4|mov|m4v)$' THEN 'video' ELSE 'document' END AS file_type,
                l.fields->>'role' AS category,
                jsonb_build_object('sha256', l.fields->>'sha256', 'size', (l.fields->>'size')::bigint) AS metadata,
                'completed'::text AS upload_status, \(moment("l.fields->>'created_at'")) AS created_at
            FROM \(entities("file"))
            """, changes: ["INSERT": "insert_media", "UPDATE": "update_media", "DELETE": "delete_media"]) + "\n"
        + view(
            "helix_field.chat_messages_queue",
            """
            SELECT m.id, m.conversation_id AS channel_id, m.content, 'text'::text AS message_type, NULL::text AS file_path,
                m.client_id AS temp_id, 'synced'::text AS sync_status, m.created_at, m.number
            FROM helix_people.messages m
            WHERE m.sender_id = (SELECT coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = u.id), helix.uuid_of(u.id))
                FROM (SELECT helix.app_user() AS id) u)
            """, changes: ["INSERT": "insert_queued", "UPDATE": "update_queued", "DELETE": "delete_queued"])
}
