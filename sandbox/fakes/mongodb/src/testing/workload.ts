// Writers with work that can be audited: tried and acknowledged writes, to compare with the stored rows.
import { expect } from '@jest/globals';
import { type AnyBulkWriteOperation, type Collection, type Db, MongoServerError } from 'mongodb';

const WRITERS_PER_KIND = 4;
const BATCH = 20;

interface Row {
  readonly _id: string;
  readonly key: string;
  readonly padding: string;
}
interface Counter {
  readonly _id: string;
  readonly n: number;
}
interface Tally {
  attempted: number;
  acknowledged: number;
}

/** Told before a write is sent and after it was acknowledged. */
export type Watch = (moment: 'request' | 'answer') => void;

/** The work of many rounds on one database. */
export class Workload {
  private readonly inserted = new Set<string>();
  private readonly tallies = new Map<string, Tally>();
  private sequence = 0;

  /** The number of acknowledged writes so far. */
  get acknowledged(): number {
    let increments = 0;
    for (const tally of this.tallies.values()) increments += tally.acknowledged;
    return this.inserted.size + increments;
  }

  /** Writes until the server is gone; rejects with anything else that goes wrong. */
  async run(db: Db, watch: Watch): Promise<void> {
    const writers = Array.from({ length: WRITERS_PER_KIND }, (_, writer) => [
      this.repeat(watch, () => this.insert(rowsOf(db))),
      this.repeat(watch, () => this.bulkUpsert(countersOf(db), writer)),
      this.repeat(watch, () => this.increment(countersOf(db), writer)),
    ]);
    await Promise.all(writers.flat());
  }

  /** Both indexes, one of them unique. */
  async prepare(db: Db): Promise<void> {
    await rowsOf(db).createIndex({ key: 1 }, { unique: true });
    await countersOf(db).createIndex({ n: 1 });
  }

  /** Compares stored rows with acknowledged and tried writes; throws the errors of jest's `expect`. */
  async audit(db: Db): Promise<void> {
    const rows = await rowsOf(db).find().toArray();
    const keys = new Set(rows.map(({ key }) => key));
    expect(keys.size).toBe(rows.length);
    expect([...this.inserted].filter((key) => !keys.has(key))).toEqual([]);
    const counters = new Map((await countersOf(db).find().toArray()).map(({ _id, n }) => [_id, n]));
    for (const [id, { attempted, acknowledged }] of this.tallies) {
      const n = counters.get(id) ?? 0;
      if (n < acknowledged || n > attempted) throw new Error(`${id} is ${n}: ${acknowledged}..${attempted}`);
    }
    await this.auditIndexes(db, rows, counters);
  }

  private async auditIndexes(db: Db, rows: Row[], counters: ReadonlyMap<string, number>): Promise<void> {
    // A range over an index is counted by its keys alone, a sort follows them to the documents.
    expect(await rowsOf(db).countDocuments({ key: { $gte: '' } })).toBe(rows.length);
    const byKey = await rowsOf(db).find().sort({ key: 1 }).toArray();
    expect(byKey.map(({ key }) => key)).toEqual(rows.map(({ key }) => key).sort());
    expect(await countersOf(db).countDocuments({ n: { $gte: 0 } })).toBe(counters.size);
    const byN = await countersOf(db).find().sort({ n: 1 }).toArray();
    expect(new Map(byN.map(({ _id, n }) => [_id, n]))).toEqual(counters);
    expect(byN.map(({ n }) => n)).toEqual([...counters.values()].sort((a, b) => a - b));
    const [row] = rows;
    if (row === undefined) return;
    await expect(rowsOf(db).insertOne({ ...row, _id: 'another' })).rejects.toMatchObject({ code: 11000 });
  }

  private async repeat(watch: Watch, write: () => Promise<void>): Promise<void> {
    for (;;) {
      const answer = write();
      watch('request');
      try {
        await answer;
      } catch (error) {
        // A code is an answer of the server, and a killed server gives none.
        if (error instanceof MongoServerError && error.code !== undefined) throw error;
        return;
      }
      watch('answer');
    }
  }

  private async insert(rows: Collection<Row>): Promise<void> {
    const key = `key-${this.sequence++}`;
    await rows.insertOne({ _id: `row-${key}`, key, padding: 'x'.repeat(200) });
    this.inserted.add(key);
  }

  private async bulkUpsert(counters: Collection<Counter>, writer: number): Promise<void> {
    const ids = Array.from({ length: BATCH }, (_, i) => `bulk-${writer}-${i}`);
    const upserts = ids.map(
      (_id): AnyBulkWriteOperation<Counter> => ({
        updateOne: { filter: { _id }, update: { $inc: { n: 1 } }, upsert: true },
      }),
    );
    for (const id of ids) this.tally(id).attempted++;
    await counters.bulkWrite(upserts, { ordered: writer % 2 === 0 });
    for (const id of ids) this.tally(id).acknowledged++;
  }

  private async increment(counters: Collection<Counter>, writer: number): Promise<void> {
    // Two writers share a counter.
    const _id = `counter-${writer % 2}`;
    this.tally(_id).attempted++;
    const options = { upsert: true, returnDocument: 'after' } as const;
    await counters.findOneAndUpdate({ _id }, { $inc: { n: 1 } }, options);
    this.tally(_id).acknowledged++;
  }

  private tally(id: string): Tally {
    const tally = this.tallies.get(id) ?? { attempted: 0, acknowledged: 0 };
    this.tallies.set(id, tally);
    return tally;
  }
}

const rowsOf = (db: Db): Collection<Row> => db.collection<Row>('rows');
const countersOf = (db: Db): Collection<Counter> => db.collection<Counter>('counters');
