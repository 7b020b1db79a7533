// How a variable is derived from the root secret, declared beside its schema as `meta({ derive })`.
import { z } from 'zod';
import type { RootSecret } from './root-secret.js';

export interface DerivationContext {
  readonly root: RootSecret;
  readonly variable: string;
  /** The variables that are set, before anything is derived. */
  readonly given: Readonly<Record<string, string>>;
  /** The process of the schema, such as `calls-logs`; undefined for a schema of several processes. */
  readonly process: string | undefined;
}

/** A credential by the name under which an operator would set it, with its value. */
export type Credential = readonly [name: string, value: string];

export interface Derivation {
  /** The value that the variable gets; undefined leaves it as it is. */
  readonly fill: (context: DerivationContext) => string | undefined;
  /** What an operator sets instead of the root secret; undefined where the variable is none of this process. */
  readonly credential: (context: Omit<DerivationContext, 'given'>) => Credential | undefined;
  /** True for a value that an installation works without. */
  readonly isOptional?: true;
  /** True for a value that waits for a credential and has none, which only a root secret can complete. */
  readonly isOpen?: (value: string) => boolean;
}

interface ValueOptions {
  /** False where something else that is set decides, such as an account of another installation. */
  readonly when?: (given: DerivationContext['given']) => boolean;
}

type Make = (context: Omit<DerivationContext, 'given'>) => string | undefined;

/** A variable whose whole value is derived. */
export const derivedValue = (make: Make, { when = () => true }: ValueOptions = {}): Derivation => ({
  fill: (context) =>
    context.given[context.variable] === undefined && when(context.given) ? make(context) : undefined,
  credential: (context) => {
    const value = make(context);
    return value === undefined ? undefined : [context.variable, value];
  },
});

/** A key: 32 bytes in base64url. */
export const derivedKey = derivedValue(({ root, variable }) => root.derive(variable).toString('base64url'));

/** 24 bytes in hexadecimal: no character has a meaning in a URL or in the configuration of an engine. */
const passwordOf = (root: RootSecret, name: string): string => root.derive(name, 24).toString('hex');

export const derivedPassword = (options?: ValueOptions): Derivation =>
  derivedValue(({ root, variable }) => passwordOf(root, variable), options);

/**
 * `scheme://user:@`, where the password would stand. Without the colon there is no password, such as in a NATS token.
 * Kubernetes leaves a reference such as `$(GATEWAY_NATS_PASSWORD)` as it is where the Secret has no such key.
 */
const emptyPassword = /^([\w+.-]+:\/\/)([^:/?#@,]+):(?:\$\([A-Z_]+\))?@/;

/**
 * An address whose password is derived where it is left empty, as in `postgres://gateway:@host`.
 * @param nameOf the variable that holds the password of a user
 * @param userOf the user that a process signs in as
 */
export const derivedPasswordInUrl = (
  nameOf: (user: string) => string,
  userOf: (process: string) => string,
): Derivation => ({
  fill: ({ root, variable, given }) => {
    const url = given[variable];
    const [matched, scheme, user] = emptyPassword.exec(url ?? '') ?? [];
    if (url === undefined || matched === undefined || user === undefined) return undefined;
    return `${scheme}${user}:${passwordOf(root, nameOf(user))}@${url.slice(matched.length)}`;
  },
  credential: ({ root, process }) => {
    if (process === undefined) return undefined;
    const name = nameOf(userOf(process));
    return [name, passwordOf(root, name)];
  },
  isOpen: (url) => emptyPassword.test(url),
});

const isDerivation = (value: unknown): value is Derivation =>
  typeof value === 'object' && value !== null && 'fill' in value && 'credential' in value;

/** The derivation of a variable, also one declared below `optional()` or `default()`. */
export const derivationOf = (field: unknown): Derivation | undefined => {
  if (!(field instanceof z.ZodType)) return undefined;
  const declared = z.globalRegistry.get(field)?.derive;
  if (isDerivation(declared)) return declared;
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault
    ? derivationOf(field.unwrap())
    : undefined;
};

/** The process that a schema of an environment belongs to, declared on it as `meta({ process })`. */
export const processOf = (schema: z.ZodObject): string | undefined => {
  const process = z.globalRegistry.get(schema)?.process;
  return typeof process === 'string' ? process : undefined;
};

/** Every credential of a schema as derived from a root secret, by the name under which an operator sets it. */
export const credentialsOf = (schema: z.ZodObject, root: RootSecret): readonly Credential[] =>
  Object.entries(schema.shape).flatMap(([variable, field]) => {
    const credential = derivationOf(field)?.credential({ root, variable, process: processOf(schema) });
    return credential === undefined ? [] : [credential];
  });
