extension AppSchema {
    /// Field work: the rules of its rows.
    static let fieldFunctions = #"""
        -- The status of a project in the words of helix; the app begins with 'to plan'.
        CREATE OR REPLACE FUNCTION app_status(word text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            found_status text := CASE translate(lower(coalesce(word, 'planned')), ' -', '__')
                WHEN 'planned' THEN 'planned' WHEN 'to_plan' THEN 'planned' WHEN 'active' THEN 'active'
                WHEN 'in_progress' THEN 'active' WHEN 'on_hold' THEN 'on_hold' WHEN 'paused' THEN 'on_hold'
                WHEN 'done' THEN 'done' WHEN 'completed' THEN 'done' END;
        BEGIN
            IF found_status IS NULL THEN
                PERFORM fail('HX400', $t$'status' must be one of to plan, active, on_hold, done$t$);
            END IF;
            RETURN found_status;
        END $$;

        -- A name of a project that no other one of the user has.
        CREATE OR REPLACE FUNCTION app_project_name(own text, p_id text, word text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        BEGIN
            IF is_title(word) IS NOT TRUE OR word ~ '[\u0085\u2028\u2029]' THEN
                PERFORM fail('HX400', $t$'title' must be one line of 1 to 200 characters$t$);
            END IF;
            IF EXISTS (SELECT 1 FROM user_log l WHERE l."user" = own AND l.is_current AND l.kind = 'project'
                AND l.id <> p_id AND lower(l.fields->>'name') = lower(word)) THEN
                PERFORM fail('HX409', format('the project %L already exists', word));
            END IF;
            RETURN word;
        END $$;

        -- The second part of a time entry with a break: helix stores what was worked before and after it.
        CREATE OR REPLACE FUNCTION after_break(p_id text) RETURNS text LANGUAGE sql IMMUTABLE SECURITY DEFINER
        SET search_path = helix, pg_temp AS $$ SELECT id_of_digest(sha256(convert_to('break ' || p_id, 'UTF8'))) $$;

        -- Writes a registration of time: one entry, or two around its break, which is put into the middle.
        CREATE OR REPLACE FUNCTION app_register(
            own text, p_id text, former jsonb, place text, started timestamptz, ended timestamptz, pause integer, words text
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            first bigint := app_moment(started, 'start_time');
            last bigint := app_moment(ended, 'end_time');
            gap bigint := coalesce(pause, 0)::bigint * 60;
            stop bigint;
            fields jsonb := coalesce(former, '{"is_billable": 0}') || jsonb_build_object('title', app_text(words, 'description',
                4000), 'project', place);
        BEGIN
            IF first IS NULL OR last <= first OR pause < 0 OR gap > 0 AND (last IS NULL OR gap >= last - first) THEN
                PERFORM fail('HX400', $t$'end_time' must be after 'start_time' and the break between them$t$);
            END IF;
            IF last IS NULL AND EXISTS (SELECT 1 FROM user_log l WHERE l."user" = own AND l.is_current
                AND l.kind = 'time_entry' AND l.id <> p_id AND l.fields IS NOT NULL AND NOT l.fields ? 'end') THEN
                PERFORM fail('HX409', 'another clock is running');
            END IF;
            IF EXISTS (SELECT 1 FROM user_log l WHERE l."user" = own AND l.is_current AND l.kind = 'time_entry'
                AND l.id NOT IN (p_id, after_break(p_id)) AND (l.fields->>'start')::bigint < coalesce(last, app_now())
                AND coalesce((l.fields->>'end')::bigint, app_now()) > first) THEN
                PERFORM fail('HX409', 'another time entry is at the same time');
            END IF;
            IF gap > 0 THEN
                stop := first + (last - first - gap) / 2;
                PERFORM app_append(own, jsonb_build_array(
                    jsonb_build_array('time_entry', p_id, fields || jsonb_build_object('start', first, 'end', stop)),
                    jsonb_build_array('time_entry', after_break(p_id),
                        fields || jsonb_build_object('start', stop + gap, 'end', last, 'origin', p_id))));
                RETURN;
            END IF;
            PERFORM app_put(own, 'time_entry', p_id, fields || jsonb_build_object('start', first, 'end', last));
            IF app_fields(own, after_break(p_id)) IS NOT NULL THEN
                PERFORM app_put(own, 'time_entry', after_break(p_id), NULL);
            END IF;
        END $$;

        -- An exact number as a text.
        CREATE OR REPLACE FUNCTION app_amount(given numeric, name text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF given IS NULL OR given < 0 OR given >= 1e15 OR scale(trim_scale(given)) > 9 THEN
                PERFORM fail('HX400', format('''%s'' must be an amount', name));
            END IF;
            RETURN trim_scale(given)::text;
        END $$;

        -- The file of a project with a name, such as a receipt; null for no name.
        CREATE OR REPLACE FUNCTION app_file(own text, place text, path text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_id text := (SELECT l.id FROM user_log l WHERE l."user" = own AND l.is_current AND l.kind = 'file'
                AND l.fields->>'project' = place AND l.fields->>'name' = regexp_replace(path, '^.*/', '') LIMIT 1);
        BEGIN
            IF path <> '' AND found_id IS NULL THEN
                PERFORM fail('HX404', format('the project has no file %L', path),
                    'Add it to media_files first.');
            END IF;
            RETURN found_id;
        END $$;

        -- The title and notes of a task, which the app has as one text.
        CREATE OR REPLACE FUNCTION app_description(fields jsonb, words text) RETURNS jsonb LANGUAGE plpgsql AS $$
        DECLARE
            title text := btrim(split_part(words, E'\n', 1));
        BEGIN
            PERFORM app_text(words, 'task_description', 1048576, true);
            IF title = '' OR octet_length(title) > 800 THEN
                PERFORM fail('HX400', $t$the first line of 'task_description' must be a title of at most 800 bytes$t$);
            END IF;
            RETURN fields || jsonb_build_object('title', title, 'notes', CASE WHEN words <> title THEN words END);
        END $$;

        -- Completes or reopens a task: its card moves, and its clock stops.
        CREATE OR REPLACE FUNCTION app_complete(own text, p_id text, task jsonb, is_done boolean) RETURNS jsonb
        LANGUAGE plpgsql AS $$
        DECLARE
            board text := (SELECT c.fields->>'board' FROM user_log c WHERE c."user" = own AND c.is_current
                AND c.id = task->>'column_id');
            target text := app_board_column(own, board, is_done);
            clock user_log;
        BEGIN
            IF (task->>'state' <> 'open') = is_done THEN
                RETURN task;
            END IF;
            IF is_done AND task ? 'recurrence' THEN
                PERFORM fail('HX409', 'a repeating task is completed with a method of the gateway, which adds the next one');
            END IF;
            FOR clock IN SELECT * FROM user_log l WHERE is_done AND l."user" = own AND l.is_current AND l.kind = 'time_entry'
                AND l.fields->>'task' = p_id AND NOT l.fields ? 'end' LOOP
                PERFORM app_put(own, 'time_entry', clock.id, clock.fields
                    || jsonb_build_object('end', greatest(app_now(), (clock.fields->>'start')::bigint + 1)));
            END LOOP;
            RETURN task || jsonb_build_object('state', CASE WHEN is_done THEN 'done' ELSE 'open' END, 'column_id', target,
                'rank', app_rank(own, target), 'completed_at', CASE WHEN is_done THEN app_now() END);
        END $$;

        -- Whether an entity of one kind is there; what another kind has is taken.
        CREATE OR REPLACE FUNCTION app_has(own text, p_kind text, p_id text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_kind text := (SELECT l.kind FROM user_log l WHERE l."user" = own AND l.id = p_id AND l.is_current
                AND l.fields IS NOT NULL);
        BEGIN
            PERFORM app_shown(found_kind IS NULL OR found_kind = p_kind);
            RETURN found_kind IS NOT NULL;
        END $$;

        -- A date that helix can store.
        CREATE OR REPLACE FUNCTION app_day(given date) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT isfinite(given) OR given < '0001-01-01' OR given > '9999-12-31' THEN
                PERFORM fail('HX400', $t$'start_date' must be a day of the years 1 to 9999$t$);
            END IF;
            RETURN to_char(given, 'YYYY-MM-DD');
        END $$;

        -- The blocks of a project, with one more if it is missing.
        CREATE OR REPLACE FUNCTION app_block(own text, place text, word text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            fields jsonb := app_fields(own, place);
            blocks jsonb := coalesce((fields->>'blocks')::jsonb, '[]');
        BEGIN
            IF word IS NOT NULL AND NOT blocks ? word THEN
                PERFORM app_put(own, 'project', place, fields || jsonb_build_object('blocks',
                    (SELECT '[' || string_agg(json_quote(b.value), ',' ORDER BY b.n) || ']' FROM
                        jsonb_array_elements_text(blocks || to_jsonb(word)) WITH ORDINALITY b(value, n))));
            END IF;
        END $$;
        """#

    static let fieldWriting =
        trigger(
            "insert_project", "place text := coalesce(id_of(NEW.id), new_id());",
            """
                PERFORM app_lock(own);
                IF NOT app_has(own, 'project', place) THEN
                    PERFORM keep_uuid(place, NEW.id);
                    PERFORM app_put(own, 'project', place, jsonb_build_object('name', app_project_name(own, place, NEW.title),
                        'status', app_status(NEW.status), 'customer', app_text(NEW.customer_name, 'customer_name', 800),
                        'start', app_day(NEW.start_date), 'assignee', app_assignee(own, NEW.assigned_user_id), 'created_at',
                        least(coalesce(app_moment(NEW.created_at, 'created_at'), at), at)));
                END IF;
                SELECT p.* INTO NEW FROM helix_field.projects p WHERE p.id = shown_uuid(place);
                RETURN NEW;
            """)
        + trigger(
            "update_project", "place text; fields jsonb;",
            """
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_lock(own);
                place := app_entity(own, 'project', OLD.id);
                fields := app_fields(own, place);
                PERFORM app_put(own, 'project', place, fields || jsonb_build_object(
                    'name', CASE WHEN NEW.title IS DISTINCT FROM OLD.title THEN app_project_name(own, place, NEW.title)
                        ELSE fields->>'name' END,
                    'status', app_status(NEW.status), 'customer', app_text(NEW.customer_name, 'customer_name', 800),
                    'start', CASE WHEN NEW.start_date IS DISTINCT FROM OLD.start_date THEN app_day(NEW.start_date)
                        ELSE fields->>'start' END,
                    'assignee', CASE WHEN NEW.assigned_user_id IS DISTINCT FROM OLD.assigned_user_id
                        THEN app_assignee(own, NEW.assigned_user_id) ELSE fields->>'assignee' END));
                SELECT p.* INTO NEW FROM helix_field.projects p WHERE p.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "delete_project", "place text;",
            """
                PERFORM app_lock(own);
                place := app_entity(own, 'project', OLD.id);
                -- Its materials and files go with it; its tasks and its time stay, without a project.
                PERFORM app_append(own, coalesce((SELECT jsonb_agg(jsonb_build_array(l.kind, l.id,
                    CASE WHEN l.kind IN ('task', 'time_entry') THEN l.fields - 'project' - 'block' END) ORDER BY l.seq)
                    FROM user_log l WHERE l."user" = own AND l.is_current AND l.fields->>'project' = place
                        AND l.kind IN ('task', 'time_entry', 'material', 'file')), '[]')
                    || jsonb_build_array(jsonb_build_array('project', place, NULL)));
                RETURN OLD;
            """)
        + trigger(
            "insert_project_task",
            "place text; made text := coalesce(id_of(NEW.id), new_id()); target text; is_done boolean;",
            """
                PERFORM app_lock(own);
                place := app_entity(own, 'project', NEW.project_id);
                is_done := coalesce(NEW.is_completed, false);
                IF app_has(own, 'task', made) THEN
                    -- One whose project was deleted may come into another.
                    IF NOT app_fields(own, made) ? 'project' THEN
                        PERFORM app_put(own, 'task', made, app_fields(own, made) || jsonb_build_object('project', place));
                    END IF;
                ELSE
                    PERFORM keep_uuid(made, NEW.id);
                    PERFORM app_block(own, place, app_text(NEW.block_title, 'block_title', 800));
                    target := app_column(own, is_done);
                    PERFORM app_put(own, 'task', made, app_description(jsonb_build_object('state',
                        CASE WHEN is_done THEN 'done' ELSE 'open' END, 'kind',
                        CASE WHEN NEW.is_info_block THEN 'info' ELSE 'task' END, 'column_id', target, 'rank',
                        app_rank(own, target), 'due_day', 0, 'scheduled_day', 0, 'hidden_day', 0, 'project', place,
                        'block', nullif(NEW.block_title, ''), 'created_at', at,
                        'completed_at', CASE WHEN is_done THEN at END), NEW.task_description));
                END IF;
                SELECT t.* INTO NEW FROM helix_field.project_tasks t
                    WHERE t.project_id = NEW.project_id AND t.id = shown_uuid(made);
                PERFORM app_shown(FOUND);
                RETURN NEW;
            """)
        + trigger(
            "update_project_task", "made text; fields jsonb;",
            """
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.project_id IS DISTINCT FROM OLD.project_id, 'project_id');
                PERFORM app_fixed(NEW.order_index IS DISTINCT FROM OLD.order_index, 'order_index');
                PERFORM app_lock(own);
                made := app_entity(own, 'task', OLD.id);
                fields := app_fields(own, made);
                IF NEW.block_title IS DISTINCT FROM OLD.block_title THEN
                    PERFORM app_block(own, id_of(OLD.project_id), app_text(NEW.block_title, 'block_title', 800));
                    fields := fields || jsonb_build_object('block', nullif(NEW.block_title, ''));
                END IF;
                IF NEW.task_description IS DISTINCT FROM OLD.task_description THEN
                    fields := app_description(fields, NEW.task_description);
                END IF;
                IF NEW.is_info_block IS DISTINCT FROM OLD.is_info_block THEN
                    fields := fields || jsonb_build_object('kind', CASE WHEN NEW.is_info_block THEN 'info' ELSE 'task' END);
                END IF;
                fields := app_complete(own, made, fields, coalesce(NEW.is_completed, false));
                PERFORM app_put(own, 'task', made, fields);
                SELECT t.* INTO NEW FROM helix_field.project_tasks t
                    WHERE t.project_id = OLD.project_id AND t.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "delete_project_task", "made text;",
            """
                PERFORM app_lock(own);
                made := app_entity(own, 'task', OLD.id);
                PERFORM app_append(own, coalesce((SELECT jsonb_agg(jsonb_build_array(l.kind, l.id, l.fields - 'parent'))
                    FROM user_log l WHERE l."user" = own AND l.is_current AND l.kind = 'task'
                        AND l.fields->>'parent' = made), '[]') || jsonb_build_array(jsonb_build_array('task', made, NULL)));
                RETURN OLD;
            """)
        + trigger(
            "insert_time", "made text := coalesce(id_of(NEW.id), new_id());",
            """
                PERFORM app_own_user(NEW.user_id, own);
                PERFORM app_lock(own);
                IF NOT app_has(own, 'time_entry', made) THEN
                    PERFORM keep_uuid(made, NEW.id);
                    PERFORM app_register(own, made, NULL, CASE WHEN NEW.project_id IS NOT NULL
                        THEN app_entity(own, 'project', NEW.project_id) END, NEW.start_time, NEW.end_time,
                        NEW.break_duration, NEW.description);
                END IF;
                SELECT t.* INTO NEW FROM helix_field.time_registrations t WHERE t.id = shown_uuid(made);
                RETURN NEW;
            """)
        + trigger(
            "update_time", "made text; fields jsonb;",
            """
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.user_id IS DISTINCT FROM OLD.user_id, 'user_id');
                PERFORM app_lock(own);
                made := app_entity(own, 'time_entry', OLD.id);
                fields := app_fields(own, made);
                PERFORM app_register(own, made, fields, CASE WHEN NEW.project_id IS NOT NULL
                    THEN app_entity(own, 'project', NEW.project_id) END, NEW.start_time, NEW.end_time, NEW.break_duration,
                    NEW.description);
                SELECT t.* INTO NEW FROM helix_field.time_registrations t WHERE t.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "delete_time", "made text;",
            """
                PERFORM app_lock(own);
                made := app_entity(own, 'time_entry', OLD.id);
                PERFORM app_put(own, 'time_entry', made, NULL);
                IF app_fields(own, after_break(made)) IS NOT NULL THEN
                    PERFORM app_put(own, 'time_entry', after_break(made), NULL);
                END IF;
                RETURN OLD;
            """)
        + trigger(
            "write_material",
            "place text; made text := CASE TG_OP WHEN 'INSERT' THEN coalesce(id_of(NEW.id), new_id()) ELSE id_of(OLD.id) END; former jsonb;",
            """
                PERFORM app_lock(own);
                former := app_fields(own, made);
                IF TG_OP = 'UPDATE' THEN
                    PERFORM app_entity(own, 'material', OLD.id);
                    PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                    PERFORM app_fixed(NEW.project_id IS DISTINCT FROM OLD.project_id, 'project_id');
                END IF;
                place := app_entity(own, 'project', NEW.project_id);
                IF NOT app_has(own, 'material', made) OR TG_OP = 'UPDATE' THEN
                    PERFORM keep_uuid(made, NEW.id);
                    PERFORM app_put(own, 'material', made, coalesce(former, '{}') || jsonb_build_object('project', place,
                        'name', app_text(NEW.material_name, 'material_name', 800, true),
                        'quantity', app_amount(coalesce(NEW.quantity, 1), 'quantity'),
                        'unit', coalesce(app_text(NEW.unit, 'unit', 64), 'pcs'),
                        'unit_price', app_amount(coalesce(NEW.unit_price, 0), 'unit_price'),
                        'supplier', app_text(NEW.supplier, 'supplier', 800),
                        'receipt', app_file(own, place, NEW.receipt_photo_path),
                        'created_at', coalesce((former->>'created_at')::bigint, at)));
                END IF;
                SELECT m.* INTO NEW FROM helix_field.project_materials m WHERE m.id = shown_uuid(made);
                RETURN NEW;
            """)
        + trigger(
            "delete_material", "made text;",
            """
                PERFORM app_lock(own);
                made := app_entity(own, 'material', OLD.id);
                PERFORM app_put(own, 'material', made, NULL);
                RETURN OLD;
            """)
        + trigger(
            "insert_media",
            "place text; made text := coalesce(id_of(NEW.id), new_id()); hash text := lower(NEW.metadata->>'sha256'); bytes bigint;",
            """
                PERFORM app_lock(own);
                place := app_entity(own, 'project', NEW.project_id);
                SELECT u.size INTO bytes FROM upload u WHERE u."user" = own AND u.sha256 = hash AND u.is_whole = 1;
                IF bytes IS NULL THEN
                    PERFORM fail('HX400', 'the file is not at the gateway', 'Upload it with the gateway''s method '
                        || 'files.put, and name its SHA-256 in metadata: {"sha256": "…"}.');
                END IF;
                IF coalesce(NEW.category, 'document') NOT IN ('document', 'photo', 'receipt') THEN
                    PERFORM fail('HX400', '''category'' must be document, photo or receipt');
                END IF;
                IF NOT app_has(own, 'file', made) THEN
                    PERFORM keep_uuid(made, NEW.id);
                    PERFORM app_put(own, 'file', made, jsonb_build_object('project', place, 'name',
                        app_text(regexp_replace(NEW.file_path, '^.*/|[[:cntrl:]]', '', 'g'), 'file_path', 255, true),
                        'role', coalesce(NEW.category, 'document'), 'sha256', hash, 'size', bytes, 'created_at', at));
                END IF;
                SELECT f.* INTO NEW FROM helix_field.media_files f WHERE f.id = shown_uuid(made);
                RETURN NEW;
            """)
        + trigger(
            "delete_media", "made text;",
            """
                PERFORM app_lock(own);
                made := app_entity(own, 'file', OLD.id);
                PERFORM app_append(own, coalesce((SELECT jsonb_agg(jsonb_build_array(l.kind, l.id, l.fields - 'receipt'))
                    FROM user_log l WHERE l."user" = own AND l.is_current AND l.kind = 'material'
                        AND l.fields->>'receipt' = made), '[]') || jsonb_build_array(jsonb_build_array('file', made, NULL)));
                RETURN OLD;
            """)
}
