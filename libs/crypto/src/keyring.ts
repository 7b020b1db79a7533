// Encryption at rest. Every value gets a data key of its own, and the key-encryption key wraps only data keys. So an
// exchange of the key-encryption key does not touch the values. An envelope of one purpose does not open for another.
import { randomBytes } from 'node:crypto';
import { fitsCheckValue, type KekEnv, type Secret, StartRefusal } from '@parlance/config';
import { CannotOpen, decrypt, encrypt, fromBase64Url, keyBytes } from './aead.js';

export interface KeyEncryptionKey {
  /** Stored beside the data keys that it wrapped: letters, digits, `_` and `-`. */
  readonly id: string;
  /** 32 bytes in base64. */
  readonly key: Secret;
}

interface Envelope {
  readonly kekId: string;
  readonly wrapped: Buffer;
  readonly content: Buffer;
}

const version = 'v1';

const readKey = ({ id, key }: KeyEncryptionKey): [string, Buffer] => {
  const bytes = Buffer.from(key.reveal(), 'base64');
  if (!/^[\w-]{1,64}$/.test(id) || bytes.length !== keyBytes) {
    throw new Error('a key-encryption key has a simple id and 32 bytes in base64');
  }
  if (!fitsCheckValue(id, key.reveal())) {
    throw new StartRefusal(
      `The key-encryption key ${id} does not fit the check value in its name: a character of the key is wrong or missing. Restore the key from your backup`,
    );
  }
  return [id, bytes];
};

const wrapAad = (kekId: string, aad: string): string => JSON.stringify(['wrap', version, kekId, aad]);
const contentAad = (aad: string): string => JSON.stringify(['content', version, aad]);

const parse = (sealed: string): Envelope => {
  const [found, kekId, wrapped, content, ...rest] = sealed.split('.');
  if (
    found !== version ||
    kekId === undefined ||
    wrapped === undefined ||
    content === undefined ||
    rest.length > 0
  ) {
    throw new CannotOpen();
  }
  return { kekId, wrapped: fromBase64Url(wrapped), content: fromBase64Url(content) };
};

const envelopePattern = /\bv1\.([\w-]{1,64})\.[\w-]{80}\.[\w-]+/g;

/** The envelopes in a text, such as a JSON document, with the name of the key that each takes. */
export const envelopesIn = (text: string): readonly { readonly sealed: string; readonly kekId: string }[] =>
  [...text.matchAll(envelopePattern)].map(([sealed, kekId = '']) => ({ sealed, kekId }));

/** The name of the key that an envelope takes. @throws CannotOpen for a text that is no envelope */
export const kekIdOf = (sealed: string): string => parse(sealed).kekId;

const print = ({ kekId, wrapped, content }: Envelope): string =>
  [version, kekId, wrapped.toString('base64url'), content.toString('base64url')].join('.');

export class Keyring {
  readonly #activeId: string;
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** @param others keys that still open their old envelopes, and seal nothing new */
  constructor(active: KeyEncryptionKey, others: readonly KeyEncryptionKey[] = []) {
    this.#activeId = active.id;
    this.#keys = new Map([...others.map(readKey), readKey(active)]);
  }

  /** The name of the key that seals. */
  get activeId(): string {
    return this.#activeId;
  }

  /** @param aad the owner of the value, such as `organization|secret|version`; the same is needed to open it */
  seal(plain: Buffer, aad: string): string {
    const dataKey = randomBytes(keyBytes);
    const content = encrypt(dataKey, plain, contentAad(aad));
    return print({ kekId: this.#activeId, wrapped: this.#wrap(dataKey, aad), content });
  }

  /** @throws CannotOpen */
  open(sealed: string, aad: string): Buffer {
    const envelope = parse(sealed);
    const dataKey = this.#unwrap(envelope, aad);
    try {
      return decrypt(dataKey, envelope.content, contentAad(aad));
    } finally {
      dataKey.fill(0);
    }
  }

  /** True when the value opens, for tools that look and change nothing. */
  opens(sealed: string, aad: string): boolean {
    try {
      this.open(sealed, aad).fill(0);
      return true;
    } catch (error) {
      if (error instanceof CannotOpen) return false;
      throw error;
    }
  }

  /** The same value under the active key; unchanged when it is under it already. */
  rewrap(sealed: string, aad: string): string {
    const envelope = parse(sealed);
    if (envelope.kekId === this.#activeId) return sealed;
    const dataKey = this.#unwrap(envelope, aad);
    return print({ ...envelope, kekId: this.#activeId, wrapped: this.#wrap(dataKey, aad) });
  }

  /** Wipes the data key afterwards. */
  #wrap(dataKey: Buffer, aad: string): Buffer {
    const wrapped = encrypt(this.#key(this.#activeId), dataKey, wrapAad(this.#activeId, aad));
    dataKey.fill(0);
    return wrapped;
  }

  #unwrap({ kekId, wrapped }: Envelope, aad: string): Buffer {
    return decrypt(this.#key(kekId), wrapped, wrapAad(kekId, aad));
  }

  #key(kekId: string): Buffer {
    const key = this.#keys.get(kekId);
    if (key === undefined) throw new CannotOpen(new Error(`no key-encryption key ${kekId}`));
    return key;
  }
}

/** The keys of a process. @throws StartRefusal for a key that does not fit the check value in its name */
export const keyringOf = ({ KEK_ID, KEK, KEK_OTHERS = new Map() }: KekEnv): Keyring =>
  new Keyring(
    { id: KEK_ID, key: KEK },
    [...KEK_OTHERS].map(([id, key]) => ({ id, key })),
  );
