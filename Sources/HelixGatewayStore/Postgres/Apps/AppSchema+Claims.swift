import HelixModel

extension AppSchema {
    /// The user of a token, and the messages to gateways.
    static let claimFunctions = #"""
        -- The claims of the token, as PostgREST sets them; earlier versions of it set each one alone.
        CREATE OR REPLACE FUNCTION app_claims() RETURNS json LANGUAGE plpgsql STABLE AS $$
        DECLARE
            all_claims text := current_setting('request.jwt.claims', true);
        BEGIN
            IF all_claims <> '' THEN
                BEGIN
                    -- Texts that PostgreSQL cannot hold are found here.
                    IF (SELECT count(e.value) FROM json_each_text(all_claims::json) e) >= 0 THEN
                        RETURN all_claims::json;
                    END IF;
                EXCEPTION WHEN data_exception OR invalid_parameter_value THEN
                    RETURN '{}';
                END;
            END IF;
            RETURN json_build_object('sub', nullif(current_setting('request.jwt.claim.sub', true), ''),
                'iss', nullif(current_setting('request.jwt.claim.iss', true), ''),
                'email', nullif(current_setting('request.jwt.claim.email', true), ''));
        END $$;

        -- The key of a token's user; null without one.
        CREATE OR REPLACE FUNCTION app_subject(claims json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT coalesce(claims->>'iss', '') || ' ' || (claims->>'sub')
                WHERE json_typeof(claims->'sub') = 'string' AND octet_length(claims->>'sub') BETWEEN 1 AND 200
        $$;

        -- The user of the token; null if there is none, or if they are disabled.
        CREATE OR REPLACE FUNCTION app_user() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER
        SET search_path = helix, pg_temp AS $$
        DECLARE
            subject text := app_subject(app_claims());
            found_id text;
        BEGIN
            SELECT k."user" INTO found_id FROM user_key k WHERE k.kind = 'subject' AND k.key = subject;
            RETURN (SELECT u.id FROM "user" u WHERE u.id = found_id AND u.is_disabled = 0 AND u.ended_at IS NULL);
        END $$;

        -- The user of the token who changes something: made by the first change.
        CREATE OR REPLACE FUNCTION app_writer() RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            claims json := app_claims();
            subject text := app_subject(claims);
            found_id text := app_user();
        BEGIN
            -- Failures have the states from which PostgREST makes those of HTTP.
            PERFORM set_config('helix.status', 'PT', true);
            IF found_id IS NOT NULL THEN
                RETURN found_id;
            END IF;
            IF subject IS NULL THEN
                PERFORM fail('HX401', 'the request has no token of a user');
            END IF;
            IF EXISTS (SELECT 1 FROM user_key k WHERE k.kind = 'subject' AND k.key = subject) THEN
                -- It may have come since the first look.
                found_id := app_user();
                IF found_id IS NULL THEN
                    PERFORM fail('HX403', 'the user is disabled');
                END IF;
                RETURN found_id;
            END IF;
            BEGIN
                RETURN app_make_user(claims, subject);
            EXCEPTION WHEN unique_violation THEN
                -- The same user has signed in at a gateway meanwhile.
                found_id := app_user();
                IF found_id IS NULL THEN
                    RAISE;
                END IF;
                RETURN found_id;
            END;
        END $$;

        -- Makes the user of a token, with the rules of a sign-in with it at a gateway.
        CREATE OR REPLACE FUNCTION app_make_user(claims json, subject text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            made text := new_id();
            address text := CASE WHEN claims->>'email_verified' = 'true' THEN lower(btrim(claims->>'email')) END;
            base text := left(regexp_replace(coalesce(nullif(claims->>'preferred_username', ''),
                nullif(claims->'user_metadata'->>'preferred_username', ''), nullif(claims->>'name', ''),
                nullif(split_part(address, '@', 1), ''), 'user'), '[^A-Za-z0-9._-]', '-', 'g'), 48);
            word text;
        BEGIN
            IF base !~ '[A-Za-z0-9]' THEN
                base := 'user';
            END IF;
            -- The same user at another connection waits here.
            PERFORM pg_advisory_xact_lock(hashtextextended(subject, 7));
            IF app_user() IS NOT NULL THEN
                RETURN app_user();
            END IF;
            FOR n IN 1..60 LOOP
                word := CASE WHEN n = 1 THEN base WHEN n <= 20 THEN base || n ELSE base || floor(random() * 1e6)::int END;
                INSERT INTO user_key (kind, key, "user") VALUES ('shape', name_shape(word), made) ON CONFLICT DO NOTHING;
                EXIT WHEN FOUND;
                word := NULL;
            END LOOP;
            IF word IS NULL THEN
                PERFORM fail('HX409', 'no user name is left for that address');
            END IF;
            INSERT INTO user_key (kind, key, "user") VALUES ('name', lower(word), made);
            IF NOT is_address(address) THEN
                address := NULL;
            END IF;
            INSERT INTO user_key (kind, key, "user") SELECT 'email', address, made WHERE address IS NOT NULL
                ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                address := NULL;
            END IF;
            INSERT INTO "user" (id, name, password, created_at, email)
                VALUES (made, word, '', app_now(), coalesce(address, ''));
            INSERT INTO user_key (kind, key, "user") VALUES ('subject', subject, made);
            INSERT INTO audit (at, "user", action, detail) VALUES (app_now(), made, 'user.signup', 'app');
            RETURN made;
        END $$;

        -- A time that helix can store: from 1970 to 9999.
        CREATE OR REPLACE FUNCTION app_moment(given timestamptz, name text) RETURNS bigint LANGUAGE plpgsql AS $$
        BEGIN
            IF given IS NULL THEN
                RETURN NULL;
            END IF;
            IF NOT isfinite(given) OR given < '1970-01-01Z' OR given >= '10000-01-01Z' THEN
                PERFORM fail('HX400', format($t$'%s' must be a time between the years 1970 and 9999$t$, name));
            END IF;
            RETURN floor(extract(epoch FROM given))::bigint;
        END $$;

        -- Rejects a row that cannot be shown, since its identity is that of another one.
        CREATE OR REPLACE FUNCTION app_shown(is_shown boolean) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT is_shown THEN
                PERFORM fail('HX409', 'the id belongs to something else, or to what was deleted');
            END IF;
        END $$;

        CREATE OR REPLACE FUNCTION app_now() RETURNS bigint LANGUAGE sql AS
            $$ SELECT floor(extract(epoch FROM clock_timestamp()))::bigint $$;

        -- Tells gateways with the transaction. That takes a lock of the whole database at its end, as nothing that gateways do
        -- themselves does.
        CREATE OR REPLACE FUNCTION app_tell(line text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('helix_gateways', E'apps\n' || line);
        END $$;

        -- Rejects the change of a column.
        CREATE OR REPLACE FUNCTION app_fixed(is_changed boolean, name text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF is_changed THEN
                PERFORM fail('HX400', format('''%s'' cannot be changed', name));
            END IF;
        END $$;

        CREATE OR REPLACE FUNCTION app_own_user(given uuid, own text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF given IS NOT NULL AND given <> shown_uuid(own) THEN
                PERFORM fail('HX403', 'the user of a row must be that of the token');
            END IF;
        END $$;

        -- A text as the gateway takes it.
        CREATE OR REPLACE FUNCTION app_text(given text, name text, most integer, is_needed boolean DEFAULT false)
        RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF given IS NULL OR given !~ '[^[:space:]]' THEN
                IF is_needed THEN
                    PERFORM fail('HX400', format('''%s'' is required', name));
                END IF;
                RETURN NULL;
            END IF;
            IF octet_length(given) > most THEN
                PERFORM fail('HX400', format('''%s'' is longer than %s bytes', name, most));
            END IF;
            RETURN given;
        END $$;
        """#

    /// Identities: those of helix have 80 bits, those of apps are UUIDs.
    static let identityFunctions = #"""
        -- The identity that is made of the first 80 bits of a digest.
        CREATE OR REPLACE FUNCTION id_of_digest(digest bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substr(b.bits, n * 5 + 1, 5)::bit(5)::int + 1, 1), ''
                ORDER BY n) FROM (SELECT (('x' || substr(encode(digest, 'hex'), 1, 20))::bit(80))::text AS bits) b,
                generate_series(0, 15) n
        $$;

        CREATE OR REPLACE FUNCTION new_id() RETURNS text LANGUAGE sql AS
            $$ SELECT id_of_digest(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))) $$;

        -- The UUID of an identity: version 8 (RFC 9562, 5.8), whose bits it has in it.
        CREATE OR REPLACE FUNCTION uuid_of(id text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
            SELECT (substr(h.hex, 1, 12) || '8' || substr(h.hex, 13, 3) || '80000000000' || substr(h.hex, 16, 5))::uuid FROM (
                SELECT string_agg(to_hex(substr(b.bits, n * 4 + 1, 4)::bit(4)::int), '' ORDER BY n) AS hex FROM (
                    SELECT string_agg(((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, p, 1)) - 1)::bit(5))::text, ''
                        ORDER BY p) AS bits FROM generate_series(1, 16) p) b, generate_series(0, 19) n) h
        $$;

        -- The UUID by which apps know an entity.
        CREATE OR REPLACE FUNCTION shown_uuid(p_id text) RETURNS uuid LANGUAGE sql STABLE AS
            $$ SELECT coalesce((SELECT a.uuid FROM app_id a WHERE a.id = p_id), uuid_of(p_id)) $$;

        -- The identity of a UUID, which others cannot compute and claim before its owner needs it.
        CREATE OR REPLACE FUNCTION id_of(u uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            hex text := replace(u::text, '-', '');
        BEGIN
            IF u IS NULL THEN
                RETURN NULL;
            END IF;
            IF substr(hex, 13, 1) = '8' AND substr(hex, 17, 11) = '80000000000' THEN
                RETURN id_of_digest(decode(substr(hex, 1, 12) || substr(hex, 14, 3) || substr(hex, 28, 5), 'hex'));
            END IF;
            RETURN id_of_digest(sha256(convert_to((SELECT value FROM setting WHERE name = 'secret') || hex, 'UTF8')));
        END $$;

        -- Keeps the UUID that an app chose for an entity whose identity was made of it.
        CREATE OR REPLACE FUNCTION keep_uuid(p_id text, u uuid) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO app_id (id, uuid) SELECT p_id, u WHERE u <> uuid_of(p_id) AND p_id = id_of(u) ON CONFLICT DO NOTHING;
        END $$;

        -- The user of a UUID.
        CREATE OR REPLACE FUNCTION user_of(u uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_id text;
        BEGIN
            SELECT a."user" INTO found_id FROM app_user a WHERE a.uuid = u;
            RETURN (SELECT x.id FROM "user" x WHERE x.id = coalesce(found_id, id_of(u)));
        END $$;

        -- A byte string, each byte combined with a number: a part of HMAC (RFC 2104).
        CREATE OR REPLACE FUNCTION mixed_key(key bytea, pad integer) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
        DECLARE
            made bytea := decode(repeat(lpad(to_hex(pad), 2, '0'), 64), 'hex');
        BEGIN
            FOR n IN 0..length(key) - 1 LOOP
                made := set_byte(made, n, get_byte(key, n) # pad);
            END LOOP;
            RETURN made;
        END $$;

        -- The identity that gateways derive from a text for one user.
        CREATE OR REPLACE FUNCTION secret_identity(purpose text, p_user text, word text) RETURNS text
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            key bytea := decode((SELECT value FROM setting WHERE name = 'secret'), 'hex');
            message bytea := convert_to(purpose, 'UTF8') || '\x00' || convert_to(p_user, 'UTF8') || '\x00'
                || convert_to(word, 'UTF8');
        BEGIN
            RETURN id_of_digest(sha256(sha256(mixed_key(key, 92) || sha256(mixed_key(key, 54) || message))));
        END $$;
        """#

    /// Keeps the UUIDs of users whom another service knows.
    static let noteSubject = #"""
        CREATE OR REPLACE FUNCTION note_subject() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            word text := substring(NEW.key FROM '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$');
        BEGIN
            IF word IS NOT NULL AND NEW.key LIKE '% ' || word THEN
                INSERT INTO helix.app_user (uuid, "user") VALUES (word::uuid, NEW."user") ON CONFLICT DO NOTHING;
                IF FOUND THEN
                    INSERT INTO helix.app_id (id, uuid) VALUES (NEW."user", word::uuid) ON CONFLICT DO NOTHING;
                END IF;
            END IF;
            RETURN NEW;
        END $$;
        CREATE OR REPLACE TRIGGER note_subject AFTER INSERT ON user_key FOR EACH ROW WHEN (NEW.kind = 'subject')
            EXECUTE FUNCTION note_subject();
        """#
}
