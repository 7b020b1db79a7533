// The key-encryption keys of a process: one that seals, and others that only open what they sealed before.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Credential, type Derivation, type DerivationContext, derivedValue } from './derivation.js';
import { isKmsUrl, kmsUrlRule } from './kms-url.js';
import { Secret } from './secret.js';
import { randomKey } from './variable-meta.js';

/** A key that is wrapped by the key management service of KMS_URL. */
const wrapped = 'kms:';

export const isWrapped = (value: string): boolean => value.startsWith(wrapped);
export const ciphertextOf = (value: string): string => value.slice(wrapped.length);
export const wrappedKey = (ciphertext: string): string => `${wrapped}${ciphertext}`;

const keyRule = '32 random bytes in base64';
const isKey = (value: string): boolean => {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && new Set(bytes).size > 1;
};
const isKeyOrWrapped = (value: string): boolean =>
  isWrapped(value) ? ciphertextOf(value).length > 0 : isKey(value);

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

const checkValueOf = (key: string): string =>
  createHash('sha256')
    .update('parlance kek check value 1')
    .update(Buffer.from(key, 'base64'))
    .digest('hex')
    .slice(0, 8);

/** A name that holds a check value of its key, so that a key with one wrong bit is refused wherever it is given. */
export const checkedKekId = (name: string, key: string): string => `${name}_kcv_${checkValueOf(key)}`;

/** False where the name holds a check value and the key, which is not wrapped, has another one. */
export const fitsCheckValue = (id: string, key: string): boolean => {
  const [, expected] = /_kcv_([0-9a-f]{8})$/.exec(id) ?? [];
  return expected === undefined || isWrapped(key) || expected === checkValueOf(key);
};

/** The keys in `KEK_OTHERS`, in its order. */
export const keksIn = (list: string): readonly (readonly [id: string, key: string])[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const colon = part.indexOf(':');
      return [part.slice(0, Math.max(0, colon)), part.slice(colon + 1)];
    });

const isListOfKeys = (list: string): boolean => {
  const keys = keksIn(list);
  return (
    keys.every(([id, key]) => idPattern.test(id) && isKeyOrWrapped(key)) &&
    new Set(keys.map(([id]) => id)).size === keys.length
  );
};

/** Keys by their names, as `KEK_OTHERS` writes them. */
export const writtenKeks = (keys: Iterable<readonly [id: string, key: string]>): string =>
  [...keys].map(([id, key]) => `${id}:${key}`).join(',');

/**
 * Services whose sealed values another service opens: calls-logs sends webhooks with the headers that agents-config sealed and
 * with secrets of tools-secrets, and so on.
 */
const openedBy: Readonly<Record<string, readonly string[]>> = {
  'agents-config': ['tools-secrets'],
  'calls-logs': ['agents-config', 'tools-secrets'],
  'mcp-hub': ['tools-secrets'],
  widgets: ['tools-secrets'],
};

type Root = DerivationContext['root'];
type NamedKey = readonly [id: string, key: string];

/** The name of a derived key differs with the root secret, so records never name two keys alike. */
const sharedKey = (root: Root): NamedKey => [
  `derived-v1-${root.derive('KEK_ID', 4).toString('hex')}`,
  root.derive('KEK').toString('base64'),
];
const keyOfService = (root: Root, process: string): NamedKey => [
  `derived-v1-${process}-${root.derive(`KEK_ID/${process}`, 4).toString('hex')}`,
  root.derive(`KEK/${process}`).toString('base64'),
];

type Given = DerivationContext['given'];

const isPerService = ({ KEK_SCOPE }: Given): boolean => KEK_SCOPE === 'service';

const sealingKey = (context: Pick<DerivationContext, 'root' | 'process'>, given: Given): NamedKey =>
  isPerService(given) && context.process !== undefined
    ? keyOfService(context.root, context.process)
    : sharedKey(context.root);

/** Both the shared key and those of services open, whichever of them seals, so that KEK_SCOPE can change one replica at a time. */
const openingKeys = ({ root, process }: Pick<DerivationContext, 'root' | 'process'>): readonly NamedKey[] =>
  process === undefined
    ? []
    : [sharedKey(root), ...[process, ...(openedBy[process] ?? [])].map((name) => keyOfService(root, name))];

/** The shared key is what an operator sets in place of a root secret. */
const derivedKekId = {
  ...derivedValue(({ root }) => sharedKey(root)[0]),
  fill: (context: DerivationContext) =>
    context.given.KEK_ID === undefined && context.given.KEK === undefined
      ? sealingKey(context, context.given)[0]
      : undefined,
};
const derivedKek = {
  ...derivedValue(({ root }) => sharedKey(root)[1]),
  fill: (context: DerivationContext) =>
    context.given.KEK_ID === undefined && context.given.KEK === undefined
      ? sealingKey(context, context.given)[1]
      : undefined,
};
const derivedOthers = {
  fill: (context: DerivationContext) => {
    const { KEK, KEK_OTHERS = '' } = context.given;
    if (KEK !== undefined) return undefined;
    const [sealing] = sealingKey(context, context.given);
    const own = keksIn(KEK_OTHERS);
    const named = new Set([sealing, ...own.map(([id]) => id)]);
    const derived = openingKeys(context).filter(([id]) => !named.has(id));
    return derived.length === 0 ? undefined : [KEK_OTHERS, writtenKeks(derived)].filter(Boolean).join(',');
  },
  credential: ({ root, variable, process }): Credential | undefined => {
    const [shared] = sharedKey(root);
    const derived = openingKeys({ root, process }).filter(([id]) => id !== shared);
    return derived.length === 0 ? undefined : [variable, writtenKeks(derived)];
  },
  isOptional: true,
} satisfies Derivation;

const kek = () =>
  z
    .string()
    .refine(isKeyOrWrapped, { message: keyRule, abort: true })
    .transform((value) => new Secret(value))
    .meta({ ...randomKey });

/** The key that wraps all other keys at rest, and the name under which records remember it. */
export const cryptoEnv = {
  KEK_ID: z
    .string()
    .regex(idPattern, 'letters, digits, _ and -, at most 64')
    .meta({ make: 'date +kek-%Y-%m-%d', derive: derivedKekId })
    .describe(
      'Name of the KEK; stored beside everything that it protects. Set it together with KEK, or neither.',
    ),
  KEK: kek()
    .meta({ derive: derivedKek })
    .describe(
      'Encrypts all other keys at rest. Keep a copy: without it, numbers and transcripts are lost. A key that a key management service has wrapped begins with kms: and takes KMS_URL.',
    ),
  KEK_OTHERS: z
    .string()
    .refine(isListOfKeys, { message: `id:key, separated by commas; each key ${keyRule}`, abort: true })
    .transform(
      (list): ReadonlyMap<string, Secret> => new Map(keksIn(list).map(([id, key]) => [id, new Secret(key)])),
    )
    .optional()
    .meta({ secret: true, derive: derivedOthers })
    .describe(
      'Keys that open what they have sealed and seal nothing new, as id:key, separated by commas: the key before during a rotation of the KEK (docs/operations.md).',
    ),
  KEK_SCOPE: z
    .enum(['shared', 'service'])
    .default('shared')
    .describe(
      'service: where the KEK is derived, each service seals with one of its own. shared: with one for all. Both open either way.',
    ),
  KMS_URL: z
    .string()
    .refine(isKmsUrl, kmsUrlRule)
    .optional()
    .describe(
      'Key management service that unwraps a KEK which begins with kms: at the start of a process. HashiCorp Vault and OpenBao, as vault+https://host:8200/transit/parlance: the mount of the transit engine, and the name of the key. AWS, as aws+https://kms.eu-central-1.amazonaws.com/alias/parlance; another endpoint takes ?region=.',
    ),
  KMS_TOKEN: z
    .string()
    .transform((value) => new Secret(value))
    .optional()
    .meta({ secret: true })
    .describe(
      'Credential for KMS_URL with the right to decrypt under its key. Vault: a token. AWS: <access key id>:<secret access key>; unless set, the role of the machine or the pod.',
    ),
};

/** The parsed values of `cryptoEnv`. */
export interface KekEnv {
  readonly KEK_ID: string;
  readonly KEK: Secret;
  readonly KEK_OTHERS?: ReadonlyMap<string, Secret> | undefined;
}

export interface KmsEnv {
  readonly KMS_URL?: string | undefined;
  readonly KMS_TOKEN?: Secret | undefined;
}
