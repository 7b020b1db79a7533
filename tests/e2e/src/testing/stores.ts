// Everything that the platform keeps, as text by the name of its place. Places are listed from the engines themselves, so that a
// new table, collection, stream or folder is searched without anybody adding it here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { operations as callsLogs } from '@parlance/calls-logs';
import { type EnvSource, loadEnv, mongoEnv, objectStorageEnv } from '@parlance/config';
import { allEvents } from '@parlance/event-sourcing';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { operations as outboundDialer } from '@parlance/outbound-dialer';
import { connectMongo } from '@parlance/postgres/mongo';
import { connectNats } from '@parlance/rpc';
import { DataFolder } from '@parlance/start';
import { z } from 'zod';
import { filesIn, rowsByTable } from './planted-values.js';

export type Contents = ReadonlyMap<string, string>;

const variablesOf = (dataDir: string, service: string): EnvSource => {
  const variables = new DataFolder(dataDir).serviceVariables()[service];
  if (variables === undefined) throw new Error(`the folder has no variables of ${service}`);
  return variables;
};

export const storageOf = (dataDir: string): ObjectStorage => {
  const storage = connectObjectStorage(
    loadEnv(z.object(objectStorageEnv), variablesOf(dataDir, 'calls-logs')),
  );
  if (storage === undefined) throw new Error('the platform has no object storage');
  return storage;
};

/** Documents of every collection, with its name. */
const collections = async (dataDir: string): Promise<Contents> => {
  const env = loadEnv(z.object(mongoEnv), variablesOf(dataDir, 'calls-logs'));
  const mongo = connectMongo({ url: env.MONGODB_URL, appName: 'search', database: env.MONGODB_DATABASE });
  try {
    const contents = new Map<string, string>();
    for await (const { name } of mongo.db.listCollections()) {
      const documents = await mongo.db.collection(name).find().toArray();
      contents.set(`collection ${name}`, documents.map((document) => JSON.stringify(document)).join('\n'));
    }
    return contents;
  } finally {
    await mongo.close();
  }
};

const Personal = z.object({ personal: z.string() });

/** All events as they are stored, each with its personal part opened beside it, where a key still opens it. */
const events = async (dataDir: string): Promise<Contents> => {
  const contents = new Map<string, string>();
  for (const service of [callsLogs, outboundDialer])
    await service.withStreams(variablesOf(dataDir, service.service), async ({ eventStore, personalData }) => {
      for await (const { streamId, type, data, metadata } of allEvents(eventStore)) {
        const isOwn = service.categories.some((category) => streamId.startsWith(`${category}-`));
        if (!isOwn) continue;
        const sealed = Personal.safeParse(data);
        const opened = sealed.success ? await personalData.open(streamId, sealed.data.personal) : undefined;
        const place = `events ${type}`;
        contents.set(
          place,
          `${contents.get(place) ?? ''}\n${streamId} ${JSON.stringify([data, metadata, opened])}`,
        );
      }
    });
  return contents;
};

/** The subjects of keys that a row names. */
const subjectsIn = (row: object, prefixes: readonly string[]): readonly string[] =>
  Object.entries(row).flatMap(([column, value]) =>
    /(^|_)id$/.test(column) && typeof value === 'string'
      ? prefixes.map((prefix) => `${prefix}-${value}`)
      : [],
  );

const sealedValue = /\bp1\.[\w-]+/g;

/** The sealed columns of rows, opened where a key still opens them. */
const openedRows = async (dataDir: string): Promise<Contents> => {
  const contents = new Map<string, string>();
  for (const service of [callsLogs, outboundDialer])
    await service.withStreams(variablesOf(dataDir, service.service), async ({ db, personalData }) => {
      const prefixes = [...service.categories, 'outboundNumbers'];
      const openedOf = async (row: object): Promise<readonly string[]> => {
        const sealed = JSON.stringify(row).match(sealedValue) ?? [];
        if (sealed.length === 0) return [];
        const tries = sealed.flatMap((value) =>
          subjectsIn(row, prefixes).map((subject) =>
            // Of another subject.
            personalData.open(subject, value).catch(() => null),
          ),
        );
        return (await Promise.all(tries)).flatMap((value) => (value === null ? [] : [JSON.stringify(value)]));
      };
      const { rows: tables } = await db.query<{ name: string }>(
        `select table_name as name from information_schema.tables
         where table_schema = current_schema() and table_type = 'BASE TABLE'`,
      );
      for (const { name } of tables) {
        const { rows } = await db.query<{ row: object }>(`select to_jsonb(t) as row from "${name}" t`);
        const texts: string[] = [];
        for (const { row } of rows) texts.push(...(await openedOf(row)));
        if (texts.length > 0) contents.set(`opened ${name}`, texts.join('\n'));
      }
    });
  return contents;
};

/** Messages of every stream of NATS; a key-value store is one, too. */
const messages = async (dataDir: string): Promise<Contents> => {
  const folder = new DataFolder(dataDir);
  const nats = await connectNats({
    url: `nats://parlance:${folder.secrets().natsToken}@127.0.0.1:${folder.state().ports.nats}`,
    name: 'search',
  });
  try {
    const contents = new Map<string, string>();
    const manager = await nats.jetstreamManager();
    for await (const { config, state } of manager.streams.list()) {
      const texts: string[] = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => undefined);
        if (message !== undefined)
          texts.push(
            `${message.subject} ${message.header?.toString()} ${Buffer.from(message.data).toString('utf8')}`,
          );
      }
      contents.set(`NATS ${config.name}`, texts.join('\n'));
    }
    return contents;
  } finally {
    await nats.close();
  }
};

const objects = async (dataDir: string): Promise<Contents> => {
  const storage = storageOf(dataDir);
  try {
    const contents = new Map<string, string>();
    for await (const { key } of storage.list('')) {
      const body = await storage.open(key);
      contents.set(`object ${key}`, `${key}\n${body === undefined ? '' : await text(body)}`);
    }
    return contents;
  } finally {
    storage.close();
  }
};

const logs = (dataDir: string): Contents =>
  new Map(
    filesIn(join(dataDir, 'logs')).map((path) => [
      `log ${path.slice(dataDir.length)}`,
      readFileSync(path, 'utf8'),
    ]),
  );

/** The stores of a running platform. */
export const everythingKept = async (dataDir: string): Promise<Contents> => {
  const tables = await rowsByTable(dataDir);
  const parts = await Promise.all([
    collections(dataDir),
    events(dataDir),
    openedRows(dataDir),
    messages(dataDir),
    objects(dataDir),
  ]);
  return new Map([
    ...[...tables].map(([name, rows]) => [`table ${name}`, rows] as const),
    ...parts.flatMap((part) => [...part]),
    ...logs(dataDir),
  ]);
};
