import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import {
  CannotOpen,
  createPersonalData,
  equalSecrets,
  type KeyEncryptionKey,
  Keyring,
  type SubjectKeyStore,
  sha256,
} from './index.js';

const newKey = (id: string): KeyEncryptionKey => ({
  id,
  key: new Secret(randomBytes(32).toString('base64')),
});
const plain = Buffer.from('an API key of a customer');
const aad = 'org-1|secret-1|1';

const memoryStore = (): SubjectKeyStore & { readonly rows: Map<string, string | null> } => {
  const rows = new Map<string, string | null>();
  return {
    rows,
    load: async (subjects) =>
      new Map(
        subjects.flatMap((subject) => {
          const row = rows.get(subject);
          return row === undefined ? [] : [[subject, row] as const];
        }),
      ),
    create: async (wrapped) => {
      for (const [subject, key] of wrapped) if (!rows.has(subject)) rows.set(subject, key);
      return new Map([...wrapped.keys()].map((subject) => [subject, rows.get(subject) ?? null]));
    },
    destroy: async (subjects) => {
      for (const subject of subjects) rows.set(subject, null);
    },
  };
};

describe('Keyring', () => {
  const key = newKey('k1');
  const keyring = new Keyring(key);

  it('opens what it sealed, and seals the same value differently each time', () => {
    const sealed = keyring.seal(plain, aad);
    expect(keyring.open(sealed, aad)).toEqual(plain);
    expect(keyring.open(keyring.seal(Buffer.alloc(0), aad), aad)).toHaveLength(0);
    expect(keyring.seal(plain, aad)).not.toBe(sealed);
    expect(sealed).not.toContain(plain.toString('base64url'));
  });

  it('does not open what was sealed for another purpose', () => {
    const sealed = keyring.seal(plain, aad);
    for (const other of ['org-2|secret-1|1', 'org-1|secret-2|1', 'org-1|secret-1|2', '']) {
      expect(() => keyring.open(sealed, other)).toThrow(CannotOpen);
    }
  });

  it('does not open a value put together from two', () => {
    const [version, id, wrapped] = keyring.seal(plain, aad).split('.');
    const content = keyring.seal(plain, aad).split('.')[3];
    expect(() => keyring.open([version, id, wrapped, content].join('.'), aad)).toThrow(CannotOpen);
  });

  it('refuses a value in which any character is changed', () => {
    const sealed = keyring.seal(plain, aad);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(() => keyring.open(changed, aad)).toThrow(CannotOpen);
    }
    for (const broken of ['', 'v1', `${sealed}.x`, `${sealed}=`, sealed.slice(0, -1)]) {
      expect(() => keyring.open(broken, aad)).toThrow(CannotOpen);
    }
  });

  it('opens with the old key during rotation, and without it after rewrapping', () => {
    const next = newKey('k2');
    const sealed = keyring.seal(plain, aad);
    const rotating = new Keyring(next, [key]);
    expect(rotating.open(sealed, aad)).toEqual(plain);
    const rewrapped = rotating.rewrap(sealed, aad);
    expect(rotating.rewrap(rewrapped, aad)).toBe(rewrapped);
    const rotated = new Keyring(next);
    expect(rotated.open(rewrapped, aad)).toEqual(plain);
    expect(() => rotated.open(sealed, aad)).toThrow(CannotOpen);
    expect(() => rotated.open(rewrapped, 'another')).toThrow(CannotOpen);
  });

  it('refuses keys of another length and ids that would break the format', () => {
    expect(() => new Keyring({ id: 'k1', key: new Secret(randomBytes(16).toString('base64')) })).toThrow(
      '32 bytes',
    );
    expect(() => new Keyring({ ...key, id: 'a.b' })).toThrow('simple id');
  });
});

describe('personal data', () => {
  const phone = { toNumber: '+14155550100', transcript: ['hello', null, 3] };

  it('opens for its subject, and for no other', async () => {
    const personal = createPersonalData({ keyring: new Keyring(newKey('k1')), store: memoryStore() });
    const sealed = await personal.seal('call-1', phone);
    await personal.seal('call-2', phone);
    expect(sealed).not.toContain('4155550100');
    await expect(personal.open('call-1', sealed)).resolves.toEqual(phone);
    await expect(personal.open('call-2', sealed)).rejects.toThrow(CannotOpen);
    await expect(personal.open('call-3', sealed)).rejects.toThrow(CannotOpen);
    await expect(personal.open('call-1', `${sealed}A`)).rejects.toThrow(CannotOpen);
  });

  it('is null for good once the subject is forgotten, also for what is sealed later', async () => {
    const store = memoryStore();
    const keyring = new Keyring(newKey('k1'));
    const personal = createPersonalData({ keyring, store });
    const sealed = await personal.seal('call-1', phone);
    const other = await personal.seal('call-2', phone);
    await personal.forget('call-1');
    await personal.forget('never-seen');
    const late = [await personal.seal('call-1', phone), await personal.seal('never-seen', phone)];
    await expect(personal.open('call-1', sealed)).resolves.toBeNull();
    await expect(personal.open('call-1', late[0] ?? '')).resolves.toBeNull();
    await expect(personal.open('never-seen', late[1] ?? '')).resolves.toBeNull();
    await expect(personal.open('call-2', other)).resolves.toEqual(phone);
    await expect(createPersonalData({ keyring, store }).open('call-1', sealed)).resolves.toBeNull();
    expect([...store.rows.entries()].filter(([, key]) => key === null)).toHaveLength(2);
  });

  it('uses one key per subject when two processes start at once', async () => {
    const store = memoryStore();
    const keyring = new Keyring(newKey('k1'));
    const [a, b] = [createPersonalData({ keyring, store }), createPersonalData({ keyring, store })];
    const [fromA, fromB] = await Promise.all([a.seal('call-1', 'a'), b.seal('call-1', 'b')]);
    await expect(b.open('call-1', fromA)).resolves.toBe('a');
    await expect(a.open('call-1', fromB)).resolves.toBe('b');
  });

  it('loads the keys of values that are opened together with one question to the store', async () => {
    const store = memoryStore();
    const keyring = new Keyring(newKey('k1'));
    const writer = createPersonalData({ keyring, store });
    const subjects = ['call-1', 'call-2', 'call-3'];
    const sealed = await Promise.all(subjects.map((subject) => writer.seal(subject, subject)));
    const questions: (readonly string[])[] = [];
    const load: SubjectKeyStore['load'] = (wanted) => {
      questions.push(wanted);
      return store.load(wanted);
    };
    const reader = createPersonalData({ keyring, store: { ...store, load } });
    const open = () =>
      Promise.all(subjects.map((subject, index) => reader.open(subject, sealed[index] ?? '')));
    await expect(open()).resolves.toEqual(subjects);
    await expect(open()).resolves.toEqual(subjects);
    expect(questions).toEqual([subjects]);
  });

  it('asks the store once for the key of values that are sealed together, and again after a failure', async () => {
    const store = memoryStore();
    let requests = 0;
    const create: SubjectKeyStore['create'] = async (wrapped) => {
      requests += 1;
      if (requests === 1) throw new Error('the database is down');
      return store.create(wrapped);
    };
    const personal = createPersonalData({
      keyring: new Keyring(newKey('k1')),
      store: { ...store, create },
    });
    const sealAll = () => Promise.all(['a', 'b', 'c'].map((value) => personal.seal('campaign-1', value)));
    await expect(sealAll()).rejects.toThrow('the database is down');
    const sealed = await sealAll();
    expect(requests).toBe(2);
    const opened = await Promise.all(sealed.map((value) => personal.open('campaign-1', value)));
    expect(opened).toEqual(['a', 'b', 'c']);
  });

  it('makes the keys of several subjects with one request to the store, and seals without another', async () => {
    const store = memoryStore();
    const requests: (readonly string[])[] = [];
    const create: SubjectKeyStore['create'] = (wrapped) => {
      requests.push([...wrapped.keys()]);
      return store.create(wrapped);
    };
    const personal = createPersonalData({
      keyring: new Keyring(newKey('k1')),
      store: { ...store, create },
    });
    await personal.forget('call-2');
    await personal.prepare(['call-1', 'call-2', 'call-3']);
    const sealed = await personal.seal('call-1', phone);
    expect(requests).toEqual([['call-1', 'call-2', 'call-3']]);
    await expect(personal.open('call-1', sealed)).resolves.toEqual(phone);
    await expect(personal.open('call-2', await personal.seal('call-2', phone))).resolves.toBeNull();
  });

  it('hashes a text alike in every process, differently for every subject, and to nothing known once forgotten', async () => {
    const store = memoryStore();
    const keyring = new Keyring(newKey('k1'));
    const [a, b] = [createPersonalData({ keyring, store }), createPersonalData({ keyring, store })];
    const [hash = ''] = await a.hashes('org-1', ['14155550100']);
    expect(hash).toMatch(/^[\w-]{16}$/);
    await expect(b.hashes('org-1', ['14155550101', '14155550100'])).resolves.toEqual([
      expect.not.stringMatching(hash),
      hash,
    ]);
    await expect(a.hashes('org-2', ['14155550100'])).resolves.not.toEqual([hash]);
    await a.forget('org-1', 'org-2');
    await expect(a.hashes('org-1', ['14155550100'])).resolves.not.toEqual([hash]);
  });

  it('does not open a key that was moved to another subject', async () => {
    const store = memoryStore();
    const keyring = new Keyring(newKey('k1'));
    const sealed = await createPersonalData({ keyring, store }).seal('call-1', phone);
    store.rows.set('call-2', store.rows.get('call-1') ?? null);
    await expect(createPersonalData({ keyring, store }).open('call-2', sealed)).rejects.toThrow(CannotOpen);
  });
});

describe('hashing', () => {
  it('gives SHA-256 in base64url', () => {
    expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  it('compares texts of any length', () => {
    expect(equalSecrets('a', 'a')).toBe(true);
    expect(equalSecrets('a', 'b')).toBe(false);
    expect(equalSecrets('a', 'ab')).toBe(false);
    expect(equalSecrets('', '')).toBe(true);
  });
});
