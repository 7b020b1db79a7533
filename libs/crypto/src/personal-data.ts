// Personal data inside records that cannot be changed, such as events. Each subject has a key that seals its data; the
// end of that key makes the data unreadable for good.
import { createHmac, randomBytes } from 'node:crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import { LRUCache } from 'lru-cache';
import { CannotOpen, decrypt, encrypt, fromBase64Url, keyBytes } from './aead.js';
import type { Keyring } from './keyring.js';

/** The store of wrapped subject keys. */
export interface SubjectKeyStore {
  /** The wrapped keys, null where one was destroyed; a subject that never had one is left out. */
  load(subjects: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** Keeps the key of each subject that has and had none, and resolves to the kept keys as `load` does. */
  create(wrappedKeys: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string | null>>;
  /** Destroys the keys, and keeps these subjects from ever getting others. */
  destroy(subjects: readonly string[]): Promise<void>;
}

export interface PersonalData {
  /** Seals JSON data of a subject. After `forget` no process can open the result. */
  seal(subject: string, value: unknown): Promise<string>;
  /**
   * The value; null when the subject was forgotten.
   * @throws CannotOpen when it was sealed for another subject or is damaged
   */
  open(subject: string, sealed: string): Promise<unknown>;
  /**
   * Hashes of texts under a key of the subject, the same for the same text in every replica: a column can be searched by them,
   * and tells nothing without the key. After `forget` they match nothing.
   */
  hashes(subject: string, texts: readonly string[]): Promise<readonly string[]>;
  /** Makes the keys of these subjects with one request to the store, and keeps them in memory for values that are sealed soon. */
  prepare(subjects: readonly string[]): Promise<void>;
  /** Destroys the keys of these subjects. A process that has one in memory may keep using it for up to a minute. */
  forget(...subjects: readonly string[]): Promise<void>;
}

export interface PersonalDataOptions {
  readonly keyring: Keyring;
  readonly store: SubjectKeyStore;
  /** Keys held in memory at most; 2,000 unless given. */
  readonly cacheSize?: number;
}

const version = 'p1';
const cacheMs = 60_000;
/** Characters of a hash: 96 bits, so that two texts of one subject do not meet. */
const hashLength = 16;

/** The binding of the wrapped key of a subject. */
export const subjectKeyBinding = (subject: string): string => `personal-key|${subject}`;
const dataAad = (subject: string): string => `personal-data|${version}|${subject}`;

/** True when the keyring opens the wrapped key of a subject; for tools that look and change nothing. */
export const opensSubjectKey = (keyring: Keyring, subject: string, wrapped: string): boolean =>
  keyring.opens(wrapped, subjectKeyBinding(subject));

type Loaded = ReadonlyMap<string, string | null>;

/** Subjects that are wanted in the same moment, such as those of a page, are in one request to the store. */
class GatheredRequests {
  readonly #send: (subjects: readonly string[]) => Promise<Loaded>;
  #next: { readonly subjects: Set<string>; readonly loaded: Promise<Loaded> } | undefined;

  constructor(send: (subjects: readonly string[]) => Promise<Loaded>) {
    this.#send = send;
  }

  async of(subject: string): Promise<string | null | undefined> {
    this.#next ??= this.#gather();
    this.#next.subjects.add(subject);
    return (await this.#next.loaded).get(subject);
  }

  #gather(): { readonly subjects: Set<string>; readonly loaded: Promise<Loaded> } {
    const subjects = new Set<string>();
    const loaded = (async () => {
      await Promise.resolve();
      this.#next = undefined;
      return this.#send([...subjects]);
    })();
    return { subjects, loaded };
  }
}

class SubjectKeys {
  readonly #keyring: Keyring;
  readonly #store: SubjectKeyStore;
  readonly #cache: LRUCache<string, Buffer>;
  /** Keys that are being made. */
  readonly #creating = new Map<string, Promise<Buffer | null>>();
  readonly #loads: GatheredRequests;
  readonly #creates: GatheredRequests;

  constructor({ keyring, store, cacheSize = 2_000 }: PersonalDataOptions) {
    this.#keyring = keyring;
    this.#store = store;
    this.#cache = new LRUCache({ max: cacheSize, ttl: cacheMs });
    this.#loads = new GatheredRequests((subjects) => store.load(subjects));
    this.#creates = new GatheredRequests((subjects) =>
      store.create(new Map(subjects.map((subject) => [subject, this.#freshKey(subject)]))),
    );
  }

  /** Null when destroyed, undefined when there never was one. */
  async find(subject: string): Promise<Buffer | null | undefined> {
    return this.#cache.get(subject) ?? this.#unwrapped(subject, await this.#loads.of(subject));
  }

  findOrCreate(subject: string): Promise<Buffer | null> {
    const known = this.#cache.get(subject);
    if (known !== undefined) return Promise.resolve(known);
    const underWay = this.#creating.get(subject);
    if (underWay !== undefined) return underWay;
    const creating = this.#create(subject).finally(() => this.#creating.delete(subject));
    this.#creating.set(subject, creating);
    return creating;
  }

  async destroy(subjects: readonly string[]): Promise<void> {
    await this.#store.destroy(subjects);
    for (const subject of subjects) this.#cache.delete(subject);
  }

  async #create(subject: string): Promise<Buffer | null> {
    return this.#unwrapped(subject, await this.#creates.of(subject)) ?? null;
  }

  #freshKey(subject: string): string {
    return this.#keyring.seal(randomBytes(keyBytes), subjectKeyBinding(subject));
  }

  #unwrapped(subject: string, wrapped: string | null | undefined): Buffer | null | undefined {
    if (wrapped === null || wrapped === undefined) return wrapped;
    const key = this.#keyring.open(wrapped, subjectKeyBinding(subject));
    this.#cache.set(subject, key);
    return key;
  }
}

/** Personal data with one key per subject, kept in `store` and wrapped by `keyring`. */
export const createPersonalData = (options: PersonalDataOptions): PersonalData => {
  const keys = new SubjectKeys(options);
  return {
    seal: async (subject, value) => {
      // For a forgotten subject the key is made up and thrown away: late facts can still be written, not read.
      const key = (await keys.findOrCreate(subject)) ?? randomBytes(keyBytes);
      const sealed = encrypt(key, Buffer.from(stringifyJson(value ?? null)), dataAad(subject));
      return `${version}.${sealed.toString('base64url')}`;
    },
    open: async (subject, sealed) => {
      const [found, content, ...rest] = sealed.split('.');
      if (found !== version || content === undefined || rest.length > 0) throw new CannotOpen();
      const bytes = fromBase64Url(content);
      const key = await keys.find(subject);
      if (key === null) return null;
      if (key === undefined) throw new CannotOpen(new Error('the subject has no key'));
      return parseJson(decrypt(key, bytes, dataAad(subject)).toString('utf8'));
    },
    hashes: async (subject, texts) => {
      const key = (await keys.findOrCreate(subject)) ?? randomBytes(keyBytes);
      const hashKey = createHmac('sha256', key).update('keyed hashes').digest();
      return texts.map((text) =>
        createHmac('sha256', hashKey).update(text).digest('base64url').slice(0, hashLength),
      );
    },
    prepare: async (subjects) => {
      await Promise.all(subjects.map((subject) => keys.findOrCreate(subject)));
    },
    forget: (...subjects) => keys.destroy(subjects),
  };
};
