// The secrets that a test plants, and every form of them that may not be found. Also the places that the platform
// writes to.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { createDatabase } from '@parlance/postgres';
import { DataFolder } from '@parlance/start';

export const random = (): string => randomBytes(12).toString('hex');

/** The values that the test searches for. They are random, so no other text can hold one of them. */
export const planted = {
  BY_ID: `id-${random()}`,
  BODY: `body-${random()}`,
  NESTED: `nested-${random()}`,
  ESCAPED: `escaped"${random()}\\${random()}`,
  LEFT: `left-${random()}`,
  RIGHT: `right-${random()}`,
  SIGNING: `whsec_${randomBytes(24).toString('base64')}`,
  ROTATED: `before-${random()}`,
  UNICODE: `"quoted"\nümläut ${random()}`,
  BASIC: Buffer.from(`user:${random()}`).toString('base64'),
  ADDRESS: `a/b?c=d&e#${random()} +%`,
} as const;
export const afterRotation = `after-${random()}`;
export const literal = `literal-${random()}`;

/** The value as it is, as JSON and addresses write it, encoded, and its parts that no writing changes. */
const waysToWrite = (value: string): string[] => {
  const parts = value.match(/[0-9a-f]{24}/g) ?? [];
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    encodeURIComponent(JSON.stringify(value).slice(1, -1)),
    ...[value, ...parts].flatMap((text) => [
      Buffer.from(text).toString('base64').replace(/=+$/, ''),
      Buffer.from(text).toString('hex'),
    ]),
    ...parts,
  ];
};

/** At every offset in what is encoded. */
export const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      .toString('base64')
      .slice(offset === 0 ? 0 : offset + 1)
      .replace(/.?=+$/, ''),
  );

/** The search for forms of these values in a text. */
export const searchFor = (
  values: readonly string[],
  forms: (value: string) => readonly string[] = waysToWrite,
): ((text: string) => string[]) => {
  const wanted = [...new Set(values.flatMap(forms))];
  return (text) => wanted.filter((value) => text.includes(value));
};

/** The forms of secrets that this text holds. */
export const found = searchFor([...Object.values(planted), afterRotation, literal]);

/** Every file of the platform: databases, event store, message store, documents, logs and ledger. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return filesIn(path);
    return stats?.isFile() ? [path] : [];
  });

/** Every row of every table, by the name of the table. */
export const rowsByTable = async (dataDir: string): Promise<ReadonlyMap<string, string>> => {
  const folder = new DataFolder(dataDir);
  const password = encodeURIComponent(folder.secrets().postgresPassword);
  const url = `postgres://parlance:${password}@127.0.0.1:${folder.state().ports.postgres}/parlance`;
  const db = createDatabase({ url: new Secret(url), applicationName: 'search', max: 1 });
  try {
    const { rows } = await db.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const tables = new Map<string, string>();
    for (const { name } of rows) {
      const table = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
      tables.set(name, table.rows.map(({ row }) => row).join('\n'));
    }
    return tables;
  } finally {
    await db.end();
  }
};

/** Every row of every table. */
export const allTables = async (dataDir: string): Promise<string> =>
  [...(await rowsByTable(dataDir)).values()].join('\n');
