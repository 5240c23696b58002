extension AppSchema {
    /// The changes of queued messages and of the state of files, which are those of the gateway.
    static let fieldQueue =
        trigger(
            "insert_queued", "place text := app_place(NEW.channel_id, own); n bigint;",
            """
                IF NEW.file_path <> '' THEN
                    PERFORM fail('HX400', 'files are sent with the gateway''s method chat.send');
                END IF;
                n := app_say(own, place, NEW.id, NEW.temp_id, 'user', NEW.content, NEW.created_at, NULL, NULL, NULL, NULL,
                    NULL);
                SELECT q.* INTO NEW FROM helix_field.chat_messages_queue q
                    WHERE q.channel_id = NEW.channel_id AND q.number = n;
                PERFORM app_shown(FOUND);
                RETURN NEW;
            """)
        + trigger(
            "update_media", "",
            """
                -- Its state is that of the gateway's file.
                PERFORM app_fixed((NEW.id, NEW.project_id, NEW.file_path, NEW.category, NEW.metadata)
                    IS DISTINCT FROM (OLD.id, OLD.project_id, OLD.file_path, OLD.category, OLD.metadata), TG_TABLE_NAME);
                RETURN OLD;
            """)
        + trigger(
            "update_queued", "",
            """
                -- Its state is that of the message.
                PERFORM app_fixed((NEW.id, NEW.channel_id, NEW.temp_id, NEW.created_at)
                    IS DISTINCT FROM (OLD.id, OLD.channel_id, OLD.temp_id, OLD.created_at), TG_TABLE_NAME);
                IF NEW.content IS DISTINCT FROM OLD.content THEN
                    PERFORM app_rewrite(own, app_place(OLD.channel_id, own), OLD.number, coalesce(NEW.content, ''), false);
                END IF;
                SELECT q.* INTO NEW FROM helix_field.chat_messages_queue q
                    WHERE q.channel_id = OLD.channel_id AND q.number = OLD.number;
                RETURN NEW;
            """)
        + trigger(
            "delete_queued", "",
            """
                PERFORM app_rewrite(own, app_place(OLD.channel_id, own), OLD.number, NULL, true);
                RETURN OLD;
            """)
}
