// Takes a backup over the engines' own protocols. Postgres comes first, in one snapshot, and EventStoreDB after it. The events are thus
// ahead of the tables, which read on from their checkpoints (ADR 9). The object storage comes last, so each object that a row of the
// snapshot refers to had arrived.

import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { connectEventStore, headOf } from '@parlance/event-sourcing';
import type { ObjectStorage } from '@parlance/object-storage';
import { createDatabase, type Tx } from '@parlance/postgres';
import { z } from 'zod';
import { writeLines } from './lines.js';
import { referredKeys } from './object-references.js';
import { keysIn, saveObjects } from './objects.js';
import { saveStreams } from './streams.js';
import { digestOf, listTables, migrationsOf, nameOf, quoted, readRows } from './tables.js';

/** Where the platform is that is backed up. Nothing is written there. */
export interface Source {
  /** An administrator of its database. */
  readonly postgresAdminUrl: string;
  readonly eventStoreUrl: string;
  /** Undefined where the platform has none. */
  readonly storage: ObjectStorage | undefined;
}

/** The contents of `manifest.json`: facts that were read at the source, with which a restored copy has to agree. */
export const Manifest = z.object({
  takenAt: z.string(),
  schemas: z.record(z.string(), z.object({ migrations: z.array(z.string()) })),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      sum: z.string(),
    }),
  ),
  streams: z.object({ events: z.number(), parts: z.array(z.string()) }),
  /** Null where the source has no object storage, or an earlier release took the backup. */
  objects: z.object({ objects: z.number(), bytes: z.number() }).nullable().default(null),
  /** Keys that records referred to before and after the objects were read, and that have no object. */
  lostObjects: z.array(z.string()).default([]),
  /** Checkpoints of read models, by schema and name: positions of the source's event store. */
  checkpoints: z.array(z.object({ schema: z.string(), id: z.string(), position: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestOf = async (folder: string): Promise<Manifest> =>
  Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));

export const tableFile = (
  folder: string,
  table: { readonly schema: string; readonly name: string },
): string => join(folder, 'postgres', `${nameOf(table)}.jsonl`);
export const eventsFile = (folder: string): string => join(folder, 'events.jsonl');
export const sumsFile = (folder: string): string => join(folder, 'event-sums.jsonl');

/** Told the current step, in a few words. */
export type Progress = (text: string) => void;

const longMs = 3_600_000;

const saveTables = async (
  tx: Tx,
  folder: string,
  progress: Progress,
): Promise<Pick<Manifest, 'schemas' | 'tables' | 'checkpoints'>> => {
  const listed = await listTables(tx);
  const schemas: Manifest['schemas'] = {};
  for (const schema of new Set(listed.map((table) => table.schema)))
    schemas[schema] = { migrations: [...(await migrationsOf(tx, schema))] };
  const tables: Manifest['tables'] = [];
  for (const [index, table] of listed.entries()) {
    progress(`Postgres: table ${index + 1} of ${listed.length}, ${nameOf(table)}`);
    tables.push({ ...table, columns: [...table.columns], ...(await digestOf(tx, table)) });
    const file = writeLines(tableFile(folder, table));
    for await (const rows of readRows(tx, table)) for (const row of rows) await file.write(row);
    await file.end();
  }
  const checkpoints: Manifest['checkpoints'] = [];
  for (const { schema } of listed.filter(({ name }) => name === 'projection_checkpoints')) {
    const { rows } = await tx.query<{ id: string; position: string }>(
      `select id, position from ${quoted(schema)}.projection_checkpoints`,
    );
    checkpoints.push(...rows.map((row) => ({ schema, ...row })));
  }
  return { schemas, tables, checkpoints };
};

const withPostgres = async <T>(source: Source, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const db = createDatabase({
    ...{ url: new Secret(source.postgresAdminUrl), applicationName: 'drill', max: 1 },
    statementTimeoutMs: longMs,
  });
  try {
    return await db.transaction(work, { snapshot: true });
  } finally {
    await db.end();
  }
};

const saveFiles = async (
  source: Source,
  folder: string,
  before: ReadonlyMap<string, string>,
  progress: Progress,
): Promise<Pick<Manifest, 'objects' | 'lostObjects'>> => {
  const { storage } = source;
  if (storage === undefined) return { objects: null, lostObjects: [] };
  progress('object storage: all objects');
  const objects = await saveObjects(storage, folder, (count) => {
    if (count % 1_000 === 0) progress(`object storage: ${count.toLocaleString('en')} objects`);
  });
  // A record that went meanwhile took its object with it.
  const after = await withPostgres(source, referredKeys);
  const saved = await keysIn(folder);
  return { objects, lostObjects: [...before.keys()].filter((key) => after.has(key) && !saved.has(key)) };
};

const saveEvents = async (source: Source, folder: string, progress: Progress) => {
  const store = connectEventStore({ url: new Secret(source.eventStoreUrl), name: 'drill' });
  const [events, sums] = [writeLines(eventsFile(folder)), writeLines(sumsFile(folder))];
  try {
    const upTo = await headOf(store);
    return await saveStreams(store, upTo, {
      ...{ events, sums },
      onProgress: (count) => {
        if (count % 10_000 === 0) progress(`EventStoreDB: ${count.toLocaleString('en')} events`);
      },
    });
  } finally {
    await Promise.all([events.end(), sums.end(), store.close()]);
  }
};

/** Writes a backup into an empty folder. @throws AppError SERVICE_UNAVAILABLE when an engine is away */
export const takeBackup = async (source: Source, folder: string, progress: Progress): Promise<Manifest> => {
  mkdirSync(join(folder, 'postgres'), { recursive: true, mode: 0o700 });
  const takenAt = new Date().toISOString();
  const [fromPostgres, referred] = await withPostgres(source, async (tx) => [
    await saveTables(tx, folder, progress),
    await referredKeys(tx),
  ]);
  progress('EventStoreDB: all events');
  const streams = await saveEvents(source, folder, progress);
  const files = await saveFiles(source, folder, referred, progress);
  const manifest = Manifest.parse({ takenAt, ...fromPostgres, streams, ...files });
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
};
