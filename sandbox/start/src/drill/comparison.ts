// Restores a backup into a fresh place and compares the copy with the facts that were read at the source.
import { type EnvSource, Secret } from '@parlance/config';
import { connectEventStore, type EventStoreConnection, headOf } from '@parlance/event-sourcing';
import type { EventSourcedService, ServiceReadModel } from '@parlance/ops';
import { eventsFile, type Manifest, manifestOf, type Progress, sumsFile, tableFile } from './backup.js';
import { readLines } from './lines.js';
import { referredKeys } from './object-references.js';
import { keysIn, restoreObjects } from './objects.js';
import { type Place, prepareSchemas } from './place.js';
import { differences, digestStreams, restoreStreams } from './streams.js';
import { digestOf, migrationsOf, nameOf, quoted, type Table, type TableDigest, writeRows } from './tables.js';

/** One line of the report. */
export interface Finding {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  /** The differences between the two, and other faults; empty when they agree. */
  readonly problems: readonly string[];
}

export interface Comparison {
  readonly folder: string;
  readonly place: Place;
  readonly services: readonly EventSourcedService[];
  /** Variables of a service at the source, of which the keys of personal parts are needed. */
  readonly variablesOf: (service: EventSourcedService) => EnvSource;
  readonly progress: Progress;
}

const rowsAtOnce = 200;

async function* rowsIn(file: string): AsyncGenerator<readonly string[], void, void> {
  let rows: string[] = [];
  for await (const line of readLines(file)) {
    rows.push(String(line));
    if (rows.length === rowsAtOnce) yield rows;
    if (rows.length === rowsAtOnce) rows = [];
  }
  if (rows.length > 0) yield rows;
}

const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;

const compareMigrations = async (place: Place, { schemas }: Manifest): Promise<Finding> => {
  const problems: string[] = [];
  for (const [schema, { migrations }] of Object.entries(schemas)) {
    const own = await migrationsOf(place.admin, schema);
    const [missing, more] = [
      migrations.filter((name) => !own.includes(name)),
      own.filter((name) => !migrations.includes(name)),
    ];
    if (missing.length > 0) problems.push(`${schema}: this release lacks ${missing.join(', ')}`);
    if (more.length > 0) problems.push(`${schema}: the backup is older than ${more.join(', ')}`);
  }
  const total = Object.values(schemas).flatMap(({ migrations }) => migrations).length;
  return {
    what: 'migrations',
    expected: String(total),
    found: problems.length === 0 ? String(total) : '',
    problems,
  };
};

const restoreTable = async ({ folder, place }: Comparison, table: Table & TableDigest): Promise<Finding> => {
  const what = `table ${nameOf(table)}`;
  const expected = counted(table.rows, 'rows');
  try {
    const found = await place.admin.transaction(async (tx) => {
      await writeRows(tx, table, rowsIn(tableFile(folder, table)));
      return digestOf(tx, table);
    });
    const problems =
      found.rows !== table.rows
        ? [`${nameOf(table)}: ${counted(found.rows, 'rows')} came back of ${table.rows.toLocaleString('en')}`]
        : found.sum !== table.sum
          ? [`${nameOf(table)}: a row came back with another content`]
          : [];
    return { what, expected, found: counted(found.rows, 'rows'), problems };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { what, expected, found: 'none', problems: [`${nameOf(table)}: cannot be restored, ${reason}`] };
  }
};

const compareStreams = async (
  { folder }: Comparison,
  { streams }: Manifest,
  store: EventStoreConnection,
): Promise<Finding> => {
  const upTo = await headOf(store);
  const found = await digestStreams(store, upTo);
  return {
    what: 'events of all streams',
    expected: counted(streams.events, 'events'),
    found: counted(found.events, 'events'),
    problems: [...(await differences(sumsFile(folder), store, { expected: streams, found, upTo }))],
  };
};

const compareObjects = async ({ folder, place }: Comparison, { objects }: Manifest): Promise<Finding> => {
  const what = 'objects of the storage';
  if (objects === null) return { what, expected: '', found: 'not in the backup', problems: [] };
  const sizeOf = (count: typeof objects): string =>
    `${counted(count.objects, 'objects')}, ${counted(count.bytes, 'bytes')}`;
  const { problems, ...found } = await restoreObjects(folder, place.storage);
  return { what, expected: sizeOf(objects), found: sizeOf(found), problems };
};

/** Each record that came back finds its object. One whose object the source had lost, or whose storage was left out, does not. */
const compareReferences = async (
  { folder, place }: Comparison,
  { objects, lostObjects }: Manifest,
): Promise<Finding> => {
  const keys = await place.admin.transaction(referredKeys);
  const there = objects === null ? new Set<string>() : await keysIn(folder);
  const lost = new Set(lostObjects);
  const missing = [...keys].filter(([key]) => (objects === null || lost.has(key)) && !there.has(key));
  const problems =
    objects === null && missing.length > 0
      ? [`${counted(missing.length, 'records')} refer to objects, and the backup has no object storage`]
      : missing.map(([key, table]) => `${table}: the object ${key} is missing at the source`);
  return {
    what: 'records with an object',
    expected: counted(keys.size, 'records'),
    found: counted(keys.size - missing.length, 'records'),
    problems,
  };
};

/** Checkpoints name positions of the source, where the same events lie elsewhere. */
const moveCheckpoints = async (
  place: Place,
  { checkpoints }: Manifest,
  moved: ReadonlyMap<bigint, bigint>,
): Promise<void> => {
  for (const { schema, id, position } of checkpoints)
    await place.admin.query(
      `update ${quoted(schema)}.projection_checkpoints set position = $2 where id = $1`,
      [id, String(moved.get(BigInt(position)) ?? -1n)],
    );
};

/** Lets a restored read model read on to the last event, makes it anew, and holds the two against each other. */
const compareReadModel = async (
  readModel: ServiceReadModel,
  variables: EnvSource,
  digests: () => Promise<readonly (readonly [string, TableDigest])[]>,
): Promise<Finding> => {
  // Documents are in no backup: they cannot read on from nothing, and are only made anew.
  const isRestored = readModel.tables.length > 0;
  if (isRestored) await readModel.catchUp(variables);
  const restored = await digests();
  const { events, parked } = await readModel.rebuild(variables, { graceMs: 0 });
  const anew = new Map(await digests());
  const problems = restored.flatMap(([table, { rows, sum }]) =>
    anew.get(table)?.sum === sum
      ? []
      : [`${table}: ${rows} rows were restored and ${anew.get(table)?.rows} made anew, and they differ`],
  );
  if (parked > 0) problems.push(`${readModel.id}: ${counted(parked, 'events')} cannot be applied`);
  const rowsOf = (of: Iterable<readonly [string, TableDigest]>): string =>
    counted(
      [...of].reduce((sum, [, { rows }]) => sum + rows, 0),
      'rows',
    );
  const what = `read model ${readModel.id}`;
  if (!isRestored)
    return { what, expected: '', found: `made anew from ${counted(events, 'events')}`, problems };
  return { what, expected: rowsOf(restored), found: rowsOf(anew), problems };
};

const compareReadModels = async (
  { place, services, variablesOf, progress }: Comparison,
  { schemas, tables }: Manifest,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const service of services) {
    const schema = service.service.replaceAll('-', '_');
    if (schemas[schema] === undefined) continue;
    const variables = {
      ...variablesOf(service),
      ...{
        POSTGRES_URL: place.urlOf(schema),
        EVENTSTORE_URL: place.eventStoreUrl,
        MONGODB_URL: place.mongoUrl,
      },
    };
    for (const readModel of service.readModels) {
      progress(`${service.service}: ${readModel.id} reads on, and is made anew`);
      const own = tables.filter((table) => table.schema === schema && readModel.tables.includes(table.name));
      const digests = async () =>
        Promise.all(own.map(async (table) => [nameOf(table), await digestOf(place.admin, table)] as const));
      findings.push(await compareReadModel(readModel, variables, digests));
    }
  }
  return findings;
};

/** Restores and compares. The read models are compared only where tables and events came back as they were. */
export const compareBackup = async (comparison: Comparison): Promise<readonly Finding[]> => {
  const { folder, place, progress } = comparison;
  const manifest = await manifestOf(folder);
  progress('making empty schemas');
  await prepareSchemas(place, manifest.schemas);
  const findings = [await compareMigrations(place, manifest)];
  for (const table of manifest.tables) {
    progress(`restoring ${nameOf(table)}`);
    findings.push(await restoreTable(comparison, table));
  }
  progress('restoring objects');
  findings.push(await compareObjects(comparison, manifest), await compareReferences(comparison, manifest));
  progress('restoring events');
  const store = connectEventStore({ url: new Secret(place.eventStoreUrl), name: 'drill' });
  try {
    const marks = manifest.checkpoints.map(({ position }) => BigInt(position));
    const moved = await restoreStreams(eventsFile(folder), store, marks);
    findings.push(await compareStreams(comparison, manifest, store));
    if (findings.some(({ problems }) => problems.length > 0)) return findings;
    await moveCheckpoints(place, manifest, moved);
  } finally {
    await store.close();
  }
  return [...findings, ...(await compareReadModels(comparison, manifest))];
};
