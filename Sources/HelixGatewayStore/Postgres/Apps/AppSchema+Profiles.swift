import HelixModel

extension AppSchema {
    /// Profiles of users, which apps change.
    static let profileFunctions = #"""
        -- The new value of a column, empty for null; null if it does not change.
        CREATE OR REPLACE FUNCTION app_changed(former text, present text) RETURNS text LANGUAGE sql IMMUTABLE AS
            $$ SELECT CASE WHEN present IS DISTINCT FROM former THEN coalesce(present, '') END $$;

        -- The form of a name in which those that look alike are the same: that of UserName.shape.
        CREATE OR REPLACE FUNCTION name_shape(word text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT replace(replace(replace(translate(regexp_replace(normalize(lower(normalize(word, NFKC) COLLATE "default"), NFKD),
                '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u093c\u094d\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f\u00ad\u200b-\u200f\u2060-\u206f\ufeff]',
                '', 'g'), '\#(lookalikes.from)01l|ı5', '\#(lookalikes.to)oiiiis'), 'rn', 'm'), 'vv', 'w'), 'cl', 'd')
        $$;

        CREATE OR REPLACE FUNCTION is_address(word text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
            SELECT word IS NOT NULL AND octet_length(word) <= 254
                AND word ~ '^[^@[:space:][:cntrl:]:]+@[^@[:space:][:cntrl:]:]*\.[^@[:space:][:cntrl:]:]*$'
        $$;

        -- Changes what is not null of a profile.
        CREATE OR REPLACE FUNCTION app_profile(
            own text, title text, address text, words text, picture text, token text
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            bytes bytea;
        BEGIN
            IF title IS NOT NULL THEN
                PERFORM app_display_name(own, btrim(title));
            END IF;
            IF address IS NOT NULL THEN
                PERFORM app_address(own, address);
            END IF;
            IF words IS NOT NULL THEN
                IF length(btrim(words)) > \#(GatewayProfile.longestStatus) OR words ~ '[\x01-\x1f]' THEN
                    PERFORM fail('HX400', 'invalid status');
                END IF;
                UPDATE "user" SET status = btrim(words) WHERE id = own;
            END IF;
            IF picture = '' THEN
                UPDATE "user" SET avatar = NULL, avatar_type = NULL, avatar_hash = NULL WHERE id = own;
            ELSIF picture IS NOT NULL THEN
                IF picture !~ '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$' THEN
                    PERFORM fail('HX400', $t$'avatar' must be a data URL of a PNG or JPEG picture$t$);
                END IF;
                BEGIN
                    bytes := decode(split_part(picture, ',', 2), 'base64');
                EXCEPTION WHEN data_exception THEN
                    PERFORM fail('HX400', $t$'avatar' is not base64$t$);
                END;
                IF length(bytes) > \#(GatewayProfile.largestAvatar) OR NOT (substring(bytes FOR 8) = '\x89504e470d0a1a0a'
                    OR substring(bytes FOR 3) = '\xffd8ff') THEN
                    PERFORM fail('HX400',
                        $t$'avatar' must be a PNG or JPEG picture of at most \#(GatewayProfile.largestAvatar) bytes$t$);
                END IF;
                UPDATE "user" SET avatar = bytes, avatar_hash = encode(sha256(bytes), 'hex'), avatar_type =
                    CASE WHEN substring(bytes FOR 3) = '\xffd8ff' THEN 'image/jpeg' ELSE 'image/png' END WHERE id = own;
            END IF;
            IF token IS NOT NULL THEN
                PERFORM app_push(own, token);
            END IF;
        END $$;

        -- Sets the displayed name of a user, which cannot be mistaken for another user's.
        CREATE OR REPLACE FUNCTION app_display_name(own text, title text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            former "user";
            present text;
        BEGIN
            SELECT * INTO former FROM "user" WHERE id = own FOR NO KEY UPDATE;
            present := CASE WHEN title = former.name THEN '' ELSE title END;
            IF length(present) > \#(GatewayProfile.longestName) OR present ~
                '[\x01-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]' THEN
                PERFORM fail('HX400', 'invalid displayed name');
            END IF;
            IF former.display_name <> '' AND name_shape(former.display_name) <> name_shape(former.name) THEN
                DELETE FROM user_key WHERE kind = 'shape' AND key = name_shape(former.display_name) AND "user" = own;
            END IF;
            IF present <> '' THEN
                INSERT INTO user_key (kind, key, "user") VALUES ('shape', name_shape(present), own) ON CONFLICT DO NOTHING;
                IF NOT FOUND AND own <> (SELECT k."user" FROM user_key k
                    WHERE k.kind = 'shape' AND k.key = name_shape(present)) THEN
                    PERFORM fail('HX409', format('%L looks like the name of another user', present));
                END IF;
            END IF;
            UPDATE "user" SET display_name = present WHERE id = own;
            PERFORM note_name(own);
        END $$;

        -- The e-mail address of a user, which no other may have.
        CREATE OR REPLACE FUNCTION app_address(own text, given text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            address text := lower(btrim(given));
        BEGIN
            DELETE FROM user_key WHERE kind = 'email' AND key = (SELECT email FROM "user" WHERE id = own) AND "user" = own;
            IF address <> '' THEN
                IF NOT is_address(address) THEN
                    PERFORM fail('HX400', 'invalid e-mail address');
                END IF;
                INSERT INTO user_key (kind, key, "user") VALUES ('email', address, own) ON CONFLICT DO NOTHING;
                IF NOT FOUND THEN
                    PERFORM fail('HX409', 'another user has that e-mail address');
                END IF;
            END IF;
            UPDATE "user" SET email = coalesce(address, '') WHERE id = own;
        END $$;

        -- The token of a user's telephone, to which gateways send notices by APNs while no device of the user is there.
        CREATE OR REPLACE FUNCTION app_push(own text, token text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM push_target WHERE "user" = own AND device = 'app' AND address IS DISTINCT FROM lower(token);
            IF token IS NULL OR token = '' THEN
                RETURN;
            END IF;
            IF token !~ '^[0-9A-Fa-f]{64,200}$' THEN
                PERFORM fail('HX400', $t$'push_token' must be a device token of APNs, in hexadecimal digits$t$);
            END IF;
            INSERT INTO push_target (id, "user", device, kind, address, condition, created_at)
                VALUES (new_id(), own, 'app', 'apns', lower(token), 'user', app_now()) ON CONFLICT DO NOTHING;
        END $$;
        """#

    /// Letters of other scripts, and the Latin ones that they look like.
    private static let lookalikes: (from: String, to: String) = {
        let pairs = UserName.lookalikes.sorted { $0.key.value < $1.key.value }
        return (
            pairs.map { String(Character($0.key)) }.joined(), pairs.map { String($0.value) }.joined()
        )
    }()
}
