// The events of all streams go into a file, and out of it into another store. Each event has a sum, by which a difference is named.
import { createHash } from 'node:crypto';
import {
  allEvents,
  appendCopies,
  CopiedEvent,
  type EventStoreConnection,
  type RawEvent,
} from '@parlance/event-sourcing';
import { type LineWriter, readLines } from './lines.js';

/** The number of parts that streams are divided into; the sums of one part are held in memory at the same time. */
const parts = 256;
const mostAtOnce = 200;

export interface StreamsDigest {
  readonly events: number;
  /** Sum of the events' hashes by part, in hex. */
  readonly parts: readonly string[];
}

/** With sorted keys, so that two stores that order them differently agree. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, member]) => [key, canonical(member)]));
};

type Hashed = Pick<CopiedEvent, 'id' | 'stream' | 'revision' | 'type' | 'data' | 'metadata'>;

const hashOf = ({ id, stream, revision, type, data, metadata }: Hashed): string =>
  createHash('sha256')
    .update(JSON.stringify([id, stream, revision, type, canonical(data), canonical(metadata)]))
    .digest('hex')
    .slice(0, 32);

const partOf = (stream: string): number => createHash('sha256').update(stream).digest().readUInt8(0);

export class StreamsSum {
  #events = 0;
  readonly #parts = new Array<bigint>(parts).fill(0n);

  add(stream: string, hash: string): void {
    this.#events += 1;
    const part = partOf(stream);
    this.#parts[part] = BigInt.asUintN(128, (this.#parts[part] ?? 0n) + BigInt(`0x${hash}`));
  }

  get digest(): StreamsDigest {
    return { events: this.#events, parts: this.#parts.map((part) => part.toString(16)) };
  }
}

/** The event as a backup holds it. */
const copyOf = (raw: RawEvent): CopiedEvent =>
  CopiedEvent.parse({
    id: raw.id,
    stream: raw.streamId,
    revision: String(raw.revision),
    position: String(raw.position?.commit ?? -1n),
    type: raw.type,
    data: raw.data,
    metadata: raw.metadata,
  });

/** Without the store's own streams, such as its statistics. */
async function* copies(store: EventStoreConnection, upTo: bigint): AsyncGenerator<CopiedEvent, void, void> {
  for await (const raw of allEvents(store)) {
    if ((raw.position?.commit ?? 0n) > upTo) return;
    if (!raw.streamId.startsWith('$')) yield copyOf(raw);
  }
}

export interface SavedStreams {
  readonly events: LineWriter;
  /** `[stream, revision, hash]` of each event, as it was read: these reveal a damaged backup. */
  readonly sums: LineWriter;
  readonly onProgress: (events: number, position: bigint) => void;
}

/** Writes all events up to a position. */
export const saveStreams = async (
  store: EventStoreConnection,
  upTo: bigint,
  to: SavedStreams,
): Promise<StreamsDigest> => {
  const sum = new StreamsSum();
  for await (const copy of copies(store, upTo)) {
    const hash = hashOf(copy);
    sum.add(copy.stream, hash);
    await to.events.write(copy);
    await to.sums.write([copy.stream, copy.revision, hash]);
    to.onProgress(sum.digest.events, BigInt(copy.position));
  }
  return sum.digest;
};

/** Where a position of the one store lies in the other. */
export type Moved = ReadonlyMap<bigint, bigint>;

/**
 * Appends the events of a file to an empty store, in their order.
 * @param marks positions of the first store; the result maps each to its place in this one
 */
export const restoreStreams = async (
  file: string,
  store: EventStoreConnection,
  marks: readonly bigint[],
): Promise<Moved> => {
  const waiting = [...new Set(marks)].sort((a, b) => (a < b ? -1 : 1));
  const moved = new Map<bigint, bigint>();
  let last = -1n;
  let run: CopiedEvent[] = [];
  const append = async (): Promise<void> => {
    if (run.length > 0) last = await appendCopies(store, run);
    run = [];
  };
  for await (const line of readLines(file)) {
    const event = CopiedEvent.parse(line);
    const passes = (waiting[0] ?? -1n) < BigInt(event.position) && waiting.length > 0;
    if (passes || run.length === mostAtOnce || run[0]?.stream !== event.stream) await append();
    while (waiting[0] !== undefined && waiting[0] < BigInt(event.position))
      moved.set(waiting.shift() ?? 0n, last);
    run.push(event);
  }
  await append();
  for (const mark of waiting) moved.set(mark, last);
  return moved;
};

/** The digest of a store's contents. */
export const digestStreams = async (store: EventStoreConnection, upTo: bigint): Promise<StreamsDigest> => {
  const sum = new StreamsSum();
  for await (const copy of copies(store, upTo)) sum.add(copy.stream, hashOf(copy));
  return sum.digest;
};

const mostNamed = 20;

/** Says which events are missing, changed or too many, at most twenty of them. */
export const differences = async (
  sums: string,
  store: EventStoreConnection,
  {
    expected,
    found,
    upTo,
  }: { readonly expected: StreamsDigest; readonly found: StreamsDigest; readonly upTo: bigint },
): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (let part = 0; part < parts && problems.length < mostNamed; part += 1) {
    if (expected.parts[part] === found.parts[part]) continue;
    const wanted = new Map<string, string>();
    for await (const line of readLines(sums)) {
      const [stream = '', revision, hash = ''] = line as readonly string[];
      if (partOf(stream) === part) wanted.set(`${stream}, revision ${revision}`, hash);
    }
    for await (const copy of copies(store, upTo)) {
      if (partOf(copy.stream) !== part) continue;
      const place = `${copy.stream}, revision ${copy.revision}`;
      const hash = wanted.get(place);
      wanted.delete(place);
      if (hash === undefined) problems.push(`${place}: ${copy.type} is there and was not before`);
      else if (hash !== hashOf(copy)) problems.push(`${place}: ${copy.type} is another event than before`);
    }
    problems.push(...[...wanted.keys()].map((place) => `${place}: the event is missing`));
  }
  return problems.slice(0, mostNamed);
};
