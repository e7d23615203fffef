-- The tables of the first version, as a database that it created has them.
CREATE TABLE meta(name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('tables', 1), ('index', 1), ('project', 'p');
CREATE TABLE resource(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, version INTEGER NOT NULL,
    revision INTEGER NOT NULL UNIQUE, created INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX resource_version ON resource(version);
CREATE TABLE tombstone(id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_revision ON tombstone(revision);
CREATE TABLE term(path INTEGER NOT NULL, value ANY NOT NULL, resource INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY(path, value, resource, ordinal)) STRICT, WITHOUT ROWID;
CREATE INDEX term_resource ON term(resource, path);
CREATE VIRTUAL TABLE text USING fts5(words, content='', contentless_delete=1, tokenize="ascii");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(text, row);
CREATE TABLE outbox(kind INTEGER NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, due INTEGER NOT NULL,
    attempts INTEGER NOT NULL, confirm INTEGER, PRIMARY KEY(kind, name)) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_due ON outbox(due);
CREATE TABLE idempotency(seq INTEGER PRIMARY KEY, caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL,
    at INTEGER NOT NULL, reply BLOB NOT NULL, UNIQUE(caller, key)) STRICT;
