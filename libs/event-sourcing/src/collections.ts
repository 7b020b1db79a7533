// The copies of a read model's collections. A copy is made anew beside the one in use. A pointer in MongoDB then turns all
// readers to it at once, without a gap.
import { mongoGuard } from '@parlance/postgres/mongo';
import type { Collection, Db, Document } from 'mongodb';

/** The collections of one copy of a read model, by the names that the read model gives them. */
export interface Collections {
  collection<T extends Document = Document>(name: string): Collection<T>;
}

/** The first copy has the plain names, so that a read model which was never made anew looks as one expects. */
export const collectionName = (name: string, generation: number): string =>
  generation === 0 ? name : `${name}_${generation}`;

export const collectionsOf = (mongo: Db, generation: number): Collections => ({
  collection: <T extends Document>(name: string) => mongo.collection<T>(collectionName(name, generation)),
});

interface Pointer {
  readonly _id: string;
  readonly generation: number;
}

const pointers = (mongo: Db): Collection<Pointer> => mongo.collection<Pointer>('read_models');

/** Turns readers to this copy, unless they have been turned to a later one. */
export const turnReadersTo = (mongo: Db, readModel: string, generation: number): Promise<void> =>
  mongoGuard(async () => {
    await pointers(mongo).updateOne({ _id: readModel }, { $max: { generation } }, { upsert: true });
  });

/** Readers look at the pointer again after this time, so a copy that was replaced has to stay a little longer. */
const pointerAgeMs = 1_000;

/** Readers of a read model in MongoDB ask this class for its collections, before each read. */
export class CurrentCollections {
  readonly #mongo: Db;
  readonly #readModel: string;
  #known: { readonly collections: Collections; readonly readAt: number } | undefined;
  #reading: Promise<Collections> | undefined;

  constructor(mongo: Db, readModel: string) {
    this.#mongo = mongo;
    this.#readModel = readModel;
  }

  /**
   * The collections to read now. Do not keep them.
   * @throws AppError SERVICE_UNAVAILABLE while MongoDB is away
   */
  async get(): Promise<Collections> {
    if (this.#known !== undefined && performance.now() - this.#known.readAt < pointerAgeMs)
      return this.#known.collections;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<Collections> {
    // As of before the question: the answer may be old by the time it arrives.
    const readAt = performance.now();
    const pointer = await mongoGuard(() => pointers(this.#mongo).findOne({ _id: this.#readModel }));
    const collections = collectionsOf(this.#mongo, pointer?.generation ?? 0);
    this.#known = { collections, readAt };
    return collections;
  }
}

const generationsOf = async (mongo: Db, names: readonly string[]): Promise<Map<string, number>> => {
  const found = await mongo.listCollections({}, { nameOnly: true }).toArray();
  return new Map(
    found.flatMap(({ name }) => {
      const own = names.find((known) => name === known || name.startsWith(`${known}_`));
      const suffix = own === undefined ? '' : name.slice(own.length + 1);
      if (own === name) return [[name, 0]];
      return own !== undefined && /^[1-9]\d*$/.test(suffix) ? [[name, Number(suffix)]] : [];
    }),
  );
};

/** Removes the copies of these collections that `isUnused` names. */
export const dropCopies = (
  mongo: Db,
  names: readonly string[],
  isUnused: (generation: number) => boolean,
): Promise<void> =>
  mongoGuard(async () => {
    for (const [name, generation] of await generationsOf(mongo, names))
      if (isUnused(generation)) await mongo.dropCollection(name);
  });
