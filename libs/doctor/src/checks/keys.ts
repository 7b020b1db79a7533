// The keys of one process. The check compares them with placeholders and with the keys of the other copies. It also tries
// the KEK on the stored envelopes.
import { cryptoEnv, fingerprintsOf, isWrapped, Secret, secret } from '@parlance/config';
import { keyringOf, opensSubjectKey } from '@parlance/crypto';
import { createDatabase, type Database, storedFingerprints } from '@parlance/postgres';
import { z } from 'zod';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';

const page = 'docs/operations.md';

const findings = {
  KEY_WEAK: {
    severity: 'broken',
    says: 'A key is missing its length, is a placeholder, or has too few different characters.',
    advice:
      'Make a key with "openssl rand -base64 32", and put it into the environment of all processes that have it.',
    link: page,
  },
  KEK_IS_ANOTHER: {
    severity: 'broken',
    says: 'The KEK does not open the stored secrets.',
    advice:
      'Put the KEK and the KEK_ID back with which the data were written. Without them numbers and transcripts are lost.',
    link: page,
  },
  KEY_IS_ANOTHER: {
    severity: 'broken',
    says: 'A key is not the one that the copies of this process have.',
    advice:
      'Give all copies the same key. Where the key was changed on purpose, start this copy again with the new one.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const keyVariables = [
  'CALLER_SIGNING_KEY',
  'CALLER_SIGNING_KEY_PREVIOUS',
  'AUTH_SECRET',
  'INTERNAL_API_KEY',
  'CURSOR_KEY',
  'QUOTE_KEY',
  'MCP_CONFIRMATION_KEY',
  'WEBHOOK_SIGNING_KEY',
  'WEBHOOK_SIGNING_KEY_PREVIOUS',
  'LIVEKIT_API_SECRET',
] as const;

/** 32 random bytes have some 25 different characters in base64, and 12 or more of the 16 in hexadecimal. */
const leastDifferent = 10;
const wholeSecret = secret(32);

/** The weakness of the key; undefined for a good one. */
const weakness = (value: string): string | undefined => {
  const refused = wholeSecret.safeParse(value).error?.issues[0]?.message;
  if (refused !== undefined) return `It is not ${refused}.`;
  const different = new Set(value).size;
  return different < leastDifferent ? `It is made of ${different} characters that repeat.` : undefined;
};

const lookAtStrength = ({ variables, found }: Looking<Code>): void => {
  for (const name of keyVariables) {
    const value = variables[name];
    const seen = value === undefined ? undefined : weakness(value);
    if (seen !== undefined) found('KEY_WEAK', { subject: name, seen });
  }
  const { KEK } = variables;
  const problem = KEK === undefined ? undefined : cryptoEnv.KEK.safeParse(KEK).error?.issues[0]?.message;
  if (problem !== undefined) found('KEY_WEAK', { subject: 'KEK', seen: `It is not ${problem}.` });
};

const KeksOfProcess = z.object({
  KEK_ID: cryptoEnv.KEK_ID,
  KEK: cryptoEnv.KEK,
  KEK_OTHERS: cryptoEnv.KEK_OTHERS,
});

const unwrappedOf = (others: ReadonlyMap<string, Secret> = new Map()): ReadonlyMap<string, Secret> =>
  new Map([...others].filter(([, key]) => !isWrapped(key.reveal())));

/** The newest and the oldest rows tell of a KEK that was exchanged. */
const samples = `
  (select subject, wrapped_key from personal_keys where wrapped_key is not null order by created_at desc limit 3)
  union (select subject, wrapped_key from personal_keys where wrapped_key is not null order by created_at limit 3)`;

const lookAtOpened = async ({ variables, found, note }: Looking<Code>, db: Database): Promise<void> => {
  const { data: env } = KeksOfProcess.safeParse(variables);
  // A key management service unwraps its keys for the process itself, and not for the doctor.
  if (env === undefined || isWrapped(env.KEK.reveal())) return;
  const keyring = keyringOf({ ...env, KEK_OTHERS: unwrappedOf(env.KEK_OTHERS) });
  // A database that is away, or has no such table yet, is told of by the check of PostgreSQL.
  const { rows } = await db
    .query<{ subject: string; wrapped_key: string }>(samples)
    .catch(() => ({ rows: [] }));
  const closed = rows.filter(
    ({ subject, wrapped_key: wrapped }) => !opensSubjectKey(keyring, subject, wrapped),
  );
  if (closed.length > 0)
    found('KEK_IS_ANOTHER', {
      subject: `KEK ${env.KEK_ID}`,
      seen: `It opens ${rows.length - closed.length} of ${rows.length} stored keys.`,
    });
  else if (rows.length > 0)
    note(`The KEK opens ${rows.length} of ${rows.length} stored keys that were tried.`);
};

const lookAtCopies = async ({ variables, found, note }: Looking<Code>, db: Database): Promise<void> => {
  const stored = await storedFingerprints(db).catch(() => new Map<string, string>());
  const compared = fingerprintsOf(variables).filter(({ name }) => stored.has(name));
  const other = compared.filter(({ name, fingerprint }) => stored.get(name) !== fingerprint);
  for (const { name } of other)
    found('KEY_IS_ANOTHER', {
      subject: name,
      seen: 'Its fingerprint differs from the one that the last copy to start has left.',
    });
  if (compared.length > 0 && other.length === 0)
    note(`The ${compared.length} keys that copies share are those of the other copies.`);
};

const lookAtStored = async (looking: Looking<Code>): Promise<void> => {
  const { POSTGRES_URL } = looking.variables;
  if (POSTGRES_URL === undefined) return;
  const db = createDatabase({ url: new Secret(POSTGRES_URL), applicationName: 'doctor', max: 1 });
  try {
    await lookAtOpened(looking, db);
    await lookAtCopies(looking, db);
  } finally {
    await db.end();
  }
};

export const keys = defineCheck<Code>({
  name: 'keys',
  about:
    'Keys are long, random and no placeholders, the copies of a process share them, and the KEK opens stored secrets.',
  needs: [],
  uses: [...keyVariables, 'CALLER_PUBLIC_KEYS', 'KEK', 'KEK_ID', 'KEK_OTHERS', 'POSTGRES_URL'],
  findings,
  look: async (looking) => {
    lookAtStrength(looking);
    await lookAtStored(looking);
  },
});
