extension AppSchema {
    /// Changes of entities by apps, which are appended to the log of their user as those of gateways are.
    static let logFunctions = #"""
        -- A text as it is in the JSON of which versions are made.
        CREATE OR REPLACE FUNCTION json_quote(word text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
        DECLARE
            made text := replace(replace(replace(replace(replace(word, '\', '\\'), '"', '\"'), E'\n', '\n'), E'\r', '\r'),
                E'\t', '\t');
        BEGIN
            IF made ~ '[\x01-\x1f\x7f]' THEN
                FOR n IN 1..127 LOOP
                    IF n < 32 OR n = 127 THEN
                        made := replace(made, chr(n), '\u00' || lpad(to_hex(n), 2, '0'));
                    END IF;
                END LOOP;
            END IF;
            RETURN '"' || made || '"';
        END $$;

        -- The version of an entity with fields: that of ReplicaRecord.version.
        CREATE OR REPLACE FUNCTION record_version(fields jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT substr(encode(sha256(convert_to('{' || coalesce(string_agg(json_quote(f.key) || ':' || CASE
                jsonb_typeof(f.value) WHEN 'string' THEN json_quote(f.value #>> '{}') ELSE f.value::text END, ','
                ORDER BY f.key COLLATE "C"), '') || '}', 'UTF8')), 'hex'), 1, 16) FROM jsonb_each(fields) f
                WHERE jsonb_typeof(f.value) <> 'null'
        $$;

        -- Locks the log of a user until the end of the transaction: what is read afterwards stays true.
        CREATE OR REPLACE FUNCTION app_lock(own text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO user_head ("user", seq, mark) VALUES (own, 0, '') ON CONFLICT DO NOTHING;
            PERFORM 1 FROM user_head WHERE "user" = own FOR NO KEY UPDATE;
        END $$;

        -- Appends entities, each [kind, id, fields], to the log of a user that is locked; without fields they are deleted.
        CREATE OR REPLACE FUNCTION app_append(own text, entities jsonb) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            head user_head;
            entries json;
        BEGIN
            SELECT * INTO head FROM user_head WHERE "user" = own;
            SELECT json_agg(json_build_array(e.value->>0, e.value->>1, coalesce(record_version(jsonb_strip_nulls(fields.value)),
                ''), jsonb_strip_nulls(fields.value), app_now()) ORDER BY e.n) INTO entries
                FROM jsonb_array_elements(entities) WITH ORDINALITY e(value, n),
                LATERAL (SELECT CASE jsonb_typeof(e.value->2) WHEN 'object' THEN e.value->2 END AS value) fields;
            IF append_log(own, head.seq, head.mark, entries, 'app') IS NULL THEN
                PERFORM fail('HX503', 'another device changed the same data at the same time');
            END IF;
            PERFORM app_tell('u ' || own);
            IF EXISTS (SELECT 1 FROM jsonb_array_elements(entities) e WHERE e.value->>0 IN ('task', 'project')) THEN
                -- One of the gateways shares them with their assignees.
                UPDATE user_head SET is_told = false WHERE "user" = own;
                PERFORM app_tell('b ' || own);
            END IF;
        END $$;

        CREATE OR REPLACE FUNCTION app_put(own text, kind text, id text, fields jsonb) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM app_append(own, jsonb_build_array(jsonb_build_array(kind, id, fields)));
        END $$;

        -- The present fields of an entity; null if there is none.
        CREATE OR REPLACE FUNCTION app_fields(own text, p_id text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN (SELECT l.fields FROM user_log l WHERE l."user" = own AND l.id = p_id AND l.is_current);
        END $$;

        -- The identity of an entity of one kind by its UUID.
        CREATE OR REPLACE FUNCTION app_entity(own text, p_kind text, given uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_id text := id_of(given);
        BEGIN
            IF NOT EXISTS (SELECT 1 FROM user_log l WHERE l."user" = own AND l.id = found_id AND l.is_current
                AND l.kind = p_kind AND l.fields IS NOT NULL) THEN
                PERFORM fail('HX404', format('unknown %s %s', p_kind, given));
            END IF;
            RETURN found_id;
        END $$;

        -- A date, or a number, of a text that another program may have written.
        CREATE OR REPLACE FUNCTION app_date(word text) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
            RETURN word::date;
        EXCEPTION WHEN others THEN
            RETURN NULL;
        END $$;
        CREATE OR REPLACE FUNCTION app_number(word text) RETURNS numeric LANGUAGE sql IMMUTABLE AS
            $$ SELECT CASE WHEN word ~ '^-?[0-9]{1,30}(\.[0-9]{1,30})?$' THEN word::numeric END $$;

        -- The UUID of the user who is meant by the name to whom something is assigned.
        CREATE OR REPLACE FUNCTION app_person(own text, word text) RETURNS uuid LANGUAGE plpgsql STABLE SECURITY DEFINER
        SET search_path = helix, pg_temp AS $$
        BEGIN
            IF word IS NULL THEN
                RETURN NULL;
            END IF;
            IF lower(word) IN ('me', own) THEN
                RETURN shown_uuid(own);
            END IF;
            RETURN (SELECT shown_uuid(k."user") FROM user_key k WHERE k.kind = 'name' AND k.key = lower(word));
        END $$;

        -- The name to whom something is assigned, of a user's UUID.
        CREATE OR REPLACE FUNCTION app_assignee(own text, given uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            other text := user_of(given);
        BEGIN
            IF given IS NULL THEN
                RETURN NULL;
            END IF;
            IF other IS NULL THEN
                PERFORM fail('HX404', format('unknown user %s', given));
            END IF;
            RETURN CASE WHEN other = own THEN 'me' ELSE (SELECT u.name FROM "user" u WHERE u.id = other) END;
        END $$;

        -- The rank behind all cards of a column: a number of eight digits to the base 36 (Rank).
        CREATE OR REPLACE FUNCTION app_rank(own text, p_column text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            digits text := '0123456789abcdefghijklmnopqrstuvwxyz';
            last_rank text := (SELECT max(l.fields->>'rank' COLLATE "C") FROM user_log l WHERE l."user" = own AND l.is_current
                AND l.kind = 'task' AND l.fields->>'column_id' = p_column);
            number bigint := 0;
            made text := '';
        BEGIN
            IF last_rank IS NULL OR last_rank !~ '^[0-9a-z]{8}' THEN
                number := 1400000000000;
            ELSE
                FOR n IN 1..8 LOOP
                    number := number * 36 + strpos(digits, substr(last_rank, n, 1)) - 1;
                END LOOP;
                number := number + 1;
            END IF;
            FOR n IN 1..8 LOOP
                made := substr(digits, (number % 36)::int + 1, 1) || made;
                number := number / 36;
            END LOOP;
            RETURN made;
        END $$;

        -- A column of the default board for open or for completed tasks; the board is made if there is none.
        CREATE OR REPLACE FUNCTION app_column(own text, takes_done boolean) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            chosen text := (SELECT b.id FROM user_log b WHERE b."user" = own AND b.is_current AND b.kind = 'board'
                AND b.fields IS NOT NULL ORDER BY (b.fields->>'is_default')::int DESC, (b.fields->>'position')::int LIMIT 1);
            found_column text;
            made jsonb;
        BEGIN
            IF chosen IS NULL THEN
                chosen := new_id();
                made := jsonb_build_array(jsonb_build_array('board', chosen,
                    jsonb_build_object('name', 'main', 'is_default', 1, 'position', 0)));
                FOR n IN 0..3 LOOP
                    made := made || jsonb_build_array(jsonb_build_array('column', new_id(), jsonb_build_object('board', chosen,
                        'name', (ARRAY['todo', 'doing', 'review', 'done'])[n + 1], 'position', n, 'is_done', (n = 3)::int)));
                END LOOP;
                PERFORM app_append(own, made);
            END IF;
            RETURN app_board_column(own, chosen, takes_done);
        END $$;

        -- The first column of a board for open or for completed tasks; any column if there is none.
        CREATE OR REPLACE FUNCTION app_board_column(own text, p_board text, takes_done boolean) RETURNS text
        LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN (SELECT c.id FROM user_log c WHERE c."user" = own AND c.is_current AND c.kind = 'column'
                AND c.fields->>'board' = p_board
                ORDER BY ((c.fields->>'is_done')::int = 1) <> takes_done, (c.fields->>'position')::int LIMIT 1);
        END $$;
        """#
}
