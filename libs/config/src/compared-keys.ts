// Keys that all copies of a process share. Each has a fingerprint, by which a copy notices that another one has another key.
// A fingerprint is an HMAC of a constant under the key. It tells nothing else about the key, and fits no other variable.
import { createHmac, KeyObject } from 'node:crypto';
import { z } from 'zod';
import { isWrapped, keksIn } from './key-encryption.js';
import { Secret } from './secret.js';

interface ComparedKey {
  /** The variable of the key before, where a process takes both for a while. */
  readonly previous?: string;
  /** The effect of a change of the key, to be read after "then". */
  readonly effect: string;
}

/** The secret whose fingerprint stands for everything that is derived from it. */
const rootVariable = 'ROOT_SECRET';

/** Keys by variable. Credentials of engines and providers are not here: the engine itself refuses a wrong one. */
export const comparedKeys: Readonly<Record<string, ComparedKey>> = {
  AUTH_SECRET: { effect: 'every person signs in again, and sets second factors up anew' },
  CALLER_PUBLIC_KEYS: { effect: 'requests fail until every process has the new list' },
  CALLER_SIGNING_KEY: { effect: 'requests fail until every process has it' },
  CURSOR_KEY: { effect: 'lists that are open start over' },
  INTERNAL_API_KEY: { effect: 'voice runtimes need it too' },
  KEK: { previous: 'KEK_OTHERS', effect: 'all that the other KEK has encrypted is lost' },
  MCP_CONFIRMATION_KEY: { effect: 'confirmations that are under way are asked for again' },
  QUOTE_KEY: { previous: 'QUOTE_KEY_PREVIOUS', effect: 'open quotes are refused' },
  [rootVariable]: {
    effect: 'every credential derived from it changes, and what the derived KEK has encrypted is lost',
  },
  WEBHOOK_SIGNING_KEY: {
    previous: 'WEBHOOK_SIGNING_KEY_PREVIOUS',
    effect: 'receivers of webhooks need their new secrets at once',
  },
};

/** Characters of a fingerprint that an operator writes to accept a key. */
const shownCharacters = 12;

/** The new keys that may take the place of the keys of earlier copies. */
export const acceptKeysEnv = {
  ACCEPT_NEW_KEYS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((part) => /^[A-Z_]+:[0-9a-f]{12}$/.test(part)), {
      message: 'NAME:fingerprint as a process writes it to its log, separated by commas',
    })
    .describe(
      'Keys that were changed on purpose, as NAME:fingerprint, separated by commas. A process that refuses a new key writes the value to its log. It holds for that one key, so it may stay.',
    ),
};

/** The parsed values of `acceptKeysEnv`. */
export interface AcceptKeysEnv {
  readonly ACCEPT_NEW_KEYS: readonly string[];
}

/** One key of one process. */
export interface Fingerprint {
  /** The variable, and for one of several public keys also its process: `CALLER_PUBLIC_KEYS gateway`. */
  readonly name: string;
  readonly variable: string;
  /** 64 hexadecimal characters. */
  readonly fingerprint: string;
  /** The same of each key before, where a process takes several. */
  readonly previous?: readonly string[];
  /** The entry that ACCEPT_NEW_KEYS must contain for this key. */
  readonly acceptedAs: string;
}

/** A key that is not accepted in place of the one before. */
export interface RefusedKey extends Fingerprint {
  /** The name of the KEK before, where it is on record. */
  readonly nameBefore?: string | undefined;
}

/** The name of the KEK that seals, as fingerprints by name tell it: a KEK has the same one as `KEK` and under its own name. */
export const sealingKekId = (stored: ReadonlyMap<string, string>): string | undefined => {
  const sealing = stored.get('KEK');
  const prefix = 'KEK ';
  return [...stored]
    .find(([name, fingerprint]) => name.startsWith(prefix) && fingerprint === sealing)?.[0]
    .slice(prefix.length);
};

const fingerprintOf = (variable: string, ...material: readonly string[]): string =>
  createHmac('sha256', JSON.stringify(material))
    .update(`parlance key fingerprint 1 ${variable}`)
    .digest('hex');

const keyText = (key: unknown): string => {
  if (key instanceof Secret) return key.reveal();
  return key instanceof KeyObject
    ? key.export({ format: 'der', type: 'spki' }).toString('base64')
    : String(key);
};

/** A variable as the environment has it, whether it was parsed or not; undefined for an absent one. */
export const writtenKey = (value: unknown): string | undefined => {
  if (value instanceof Secret) return value.reveal();
  if (value instanceof Map) return [...value].map(([name, key]) => `${name}:${keyText(key)}`).join(',');
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const publicKeysIn = (list: string): readonly (readonly [string, string])[] =>
  list
    .split(',')
    .map((part) => part.trim().split(':'))
    .map(([name = '', key = '']) => [name, key] as const)
    .sort(([one], [other]) => one.localeCompare(other));

const acceptedAs = (variable: string, fingerprint: string): string =>
  `${variable}:${fingerprint.slice(0, shownCharacters)}`;

/** Each public key by itself, because a release may add a process to the list. They are accepted together. */
const ofPublicKeys = (variable: string, list: string): readonly Fingerprint[] => {
  const keys = publicKeysIn(list);
  const whole = fingerprintOf(variable, ...keys.flat());
  return keys.map(([name, key]) => ({
    name: `${variable} ${name}`,
    variable,
    fingerprint: fingerprintOf(`${variable} ${name}`, key),
    acceptedAs: acceptedAs(variable, whole),
  }));
};

type Read = (variable: string) => string | undefined;

/**
 * A KEK has the fingerprint of the one that seals, and one under each name: a key that opens is never another one than the key
 * that sealed under its name. Only the process itself can unwrap a key of a key management service.
 */
const ofKeks = (read: Read): readonly Fingerprint[] => {
  const [key = '', id = ''] = [read('KEK'), read('KEK_ID')];
  const keks = [[id, key] as const, ...keksIn(read('KEK_OTHERS') ?? '')].filter(
    ([, one]) => one !== '' && !isWrapped(one),
  );
  // A KEK under another name opens none of the envelopes that were sealed under its first name.
  const all = keks.map(([name, one]) => ({ name, fingerprint: fingerprintOf('KEK', one, name) }));
  const [sealing, ...others] = all;
  if (sealing === undefined || isWrapped(key)) return [];
  const previous = others.map(({ fingerprint }) => fingerprint);
  const accepted = acceptedAs('KEK', sealing.fingerprint);
  return [
    {
      name: 'KEK',
      variable: 'KEK',
      fingerprint: sealing.fingerprint,
      acceptedAs: accepted,
      ...(previous.length === 0 ? {} : { previous }),
    },
    ...all
      .filter(({ name }) => name !== '')
      .map(({ name, fingerprint }) => ({
        name: `KEK ${name}`,
        variable: 'KEK',
        fingerprint,
        acceptedAs: acceptedAs('KEK', fingerprint),
      })),
  ];
};

/** @param env variables of a process, parsed or as they were written */
export const fingerprintsOf = (env: object): readonly Fingerprint[] =>
  Object.entries(comparedKeys).flatMap(([variable, { previous }]) => {
    const read: Read = (name) => writtenKey(Reflect.get(env, name));
    const value = read(variable);
    if (value === undefined) return [];
    if (variable === 'CALLER_PUBLIC_KEYS') return ofPublicKeys(variable, value);
    if (variable === 'KEK') return ofKeks(read);
    const fingerprint = fingerprintOf(variable, value);
    const before = previous === undefined ? undefined : read(previous);
    return {
      name: variable,
      variable,
      fingerprint,
      acceptedAs: acceptedAs(variable, fingerprint),
      ...(before === undefined ? {} : { previous: [fingerprintOf(variable, before)] }),
    };
  });

/** The refusals that an operator needs: with another root secret, every derived key is another one too. */
export const keyRefusals = (refused: readonly RefusedKey[]): string => {
  const root = refused.filter(({ variable }) => variable === rootVariable);
  return (root.length > 0 ? root : refused).map(keyRefusal).join('; ');
};

/** The reason of a refused key, and both ways out. */
export const keyRefusal = ({ variable, name, nameBefore, acceptedAs: accept }: RefusedKey): string => {
  const { previous, effect } = comparedKeys[variable] ?? { effect: 'nothing else changes' };
  if (variable === rootVariable)
    return (
      `ROOT_SECRET is not the root secret that this installation was started with: restore that one from your backup; ` +
      `to change it on purpose, set ACCEPT_NEW_KEYS=${accept}, and then ${effect}`
    );
  if (name.startsWith('KEK '))
    return (
      `${name} is not the key that has sealed under this name, even if a single character differs: restore that key from your ` +
      `backup, or give the new one a name of its own; to give it up on purpose, set ACCEPT_NEW_KEYS=${accept}, and then ${effect}`
    );
  const keepBoth = previous === undefined ? '' : `keep the one before as ${previous}, or `;
  const theirs = nameBefore === undefined ? 'theirs' : `theirs, ${nameBefore}`;
  return (
    `${name} is not the key that the copies before had: give this copy ${theirs}; ` +
    `to change it in all copies, ${keepBoth}set ACCEPT_NEW_KEYS=${accept}, and then ${effect}`
  );
};
