// Read models are made anew from their events while a client reads them. The bench measures the time, counts the errors
// of the reader, and compares the content.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import type { MeasuredPlatform } from '../harness/measured-platform.js';
import { tell } from '../harness/report.js';
import { indexTables } from './index-tables.js';
import { type IngestOptions, measureIngest } from './ingest.js';
import { Client, percentile } from './requests.js';

export interface RebuildFigures {
  readonly name: string;
  /** Requests for the first page meanwhile. */
  readonly reads: number;
  readonly p99: number;
  /** The answers that were not 200, or not a full page. */
  readonly failures: readonly string[];
  /** True when the content, by hash, is the same as before. */
  readonly isSame: boolean;
  readonly said: string;
}

const script = fileURLToPath(new URL('../../../../scripts/es-rebuild.mjs', import.meta.url));
const collections = ['sealed_calls', 'sealed_turns', 'sealed_live_calls'];
/** Sealing is random: the same content has other bytes each time. */
const sealed = new Set(['personal', 'turns', 'numbers']);

const tablesHash = async (url: string): Promise<string> => {
  const db = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await db.connect();
  try {
    const hash = createHash('sha256');
    for (const table of indexTables) {
      const { rows } = await db.query<{ hash: string }>(
        `select md5(coalesce(string_agg(own, '' order by own), '')) as hash
         from (select md5(to_jsonb(t)::text) as own from ${table} t) rows`,
      );
      hash.update(`${table} ${rows[0]?.hash}`);
    }
    return hash.digest('hex');
  } finally {
    await db.end();
  }
};

/** The hash of the copy that is read. */
const documentsHash = async (url: string): Promise<string> => {
  const mongo = new MongoClient(url);
  try {
    const db = mongo.db('parlance');
    const pointers = db.collection<{ _id: string; generation: number }>('read_models');
    const generation = (await pointers.findOne({ _id: 'sealed-call-documents' }))?.generation ?? 0;
    const hash = createHash('sha256');
    for (const name of collections) {
      const copy = db.collection(generation === 0 ? name : `${name}_${generation}`);
      for await (const document of copy.find({}).sort({ _id: 1 }))
        hash.update(
          JSON.stringify([
            name,
            ...Object.entries(document)
              .map(([field, value]) => [field, sealed.has(field) ? String(value).length : value])
              .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
          ]),
        );
    }
    return hash.digest('hex');
  } finally {
    await mongo.close();
  }
};

/** Reads the first page again and again until the work is done. */
const whileReading = async (
  { api, apiKey }: MeasuredPlatform,
  work: Promise<unknown>,
): Promise<Pick<RebuildFigures, 'reads' | 'p99' | 'failures'>> => {
  const client = new Client(api, 1);
  const took: number[] = [];
  const failures: string[] = [];
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { status, body, ms } = await client.send('/calls?limit=20', { headers: { 'x-api-key': apiKey } });
    const page: { data?: readonly unknown[]; error?: { code: string } } = JSON.parse(body);
    if (page.data?.length !== 20) failures.push(`${status} ${page.error?.code ?? page.data?.length}`);
    took.push(ms);
    await new Promise((next) => setTimeout(next, 20));
  }
  await ended;
  client.close();
  return { reads: took.length, p99: percentile(took, 0.99), failures };
};

const rebuild = async (dataDir: string, name: string): Promise<string> => {
  const child = spawn(process.execPath, [script, name, '--data-dir', dataDir]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`es:rebuild ${name} ended with ${code}: ${said}`);
  return said.trim().split('\n').at(-1) ?? '';
};

/** Hands over finished calls until there are as many as asked for, then makes each read model anew. */
export const measureRebuild = async (
  platform: MeasuredPlatform,
  handOver: Omit<IngestOptions, 'seconds' | 'perSecond' | 'connections'>,
  calls: number,
): Promise<RebuildFigures[]> => {
  for (let given = 0; given < calls; ) {
    const { perSecond } = await measureIngest({
      ...handOver,
      seconds: 10,
      perSecond: undefined,
      connections: 16,
    });
    given += Math.round(perSecond * 10);
    tell(`${given} of ${calls} calls handed over, to make the read models anew from`);
  }
  const models = {
    'call-index': () => tablesHash(platform.databaseUrlOf('calls_logs')),
    'sealed-call-documents': () => documentsHash(`mongodb://127.0.0.1:${platform.ports.mongodb}`),
  };
  const rows: RebuildFigures[] = [];
  for (const [name, hash] of Object.entries(models)) {
    tell(`${name} is made anew while the first page is read`);
    const before = await hash();
    const rebuilding = rebuild(platform.dataDir, name);
    const reads = await whileReading(platform, rebuilding);
    rows.push({ name, ...reads, isSame: (await hash()) === before, said: await rebuilding });
  }
  return rows;
};
