// The root secret of an installation, from which every credential that is not set on its own is derived.
import { hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ConfigProblem, EnvSource } from './config-problem.js';
import { Secret } from './secret.js';

/** 32 bytes. One encoding and one length, so that a truncated or padded value is never mistaken for another secret. */
const format = /^[0-9a-f]{64}$/;
export const rootSecretRule = '64 characters of 0-9 and a-f, as `openssl rand -hex 32` prints them';

const isRootSecret = (text: string): boolean => format.test(text) && new Set(text).size > 1;

export const newRootSecret = (): string => randomBytes(32).toString('hex');

export class RootSecret {
  readonly #bytes: Buffer;

  /** @param hex a value that fits `rootSecretRule` */
  constructor(hex: string) {
    if (!isRootSecret(hex)) throw new Error(`a root secret has ${rootSecretRule}`);
    this.#bytes = Buffer.from(hex, 'hex');
  }

  reveal(): string {
    return this.#bytes.toString('hex');
  }

  /**
   * HKDF-SHA256. The label is versioned and part of every installation: another one is another credential.
   * @param name the variable as an operator would set it, such as GATEWAY_NATS_PASSWORD
   */
  derive(name: string, length = 32): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#bytes, '', `parlance/v1/${name}`, length));
  }
}

export const rootSecretEnv = {
  ROOT_SECRET: z
    .string()
    .refine(isRootSecret, rootSecretRule)
    .transform((value) => new Secret(value))
    .optional()
    .meta({ secret: true, make: 'openssl rand -hex 32' })
    .describe(
      'Every credential that is not set on its own is derived from it. Keep a copy: without it, numbers and transcripts are lost.',
    ),
  ROOT_SECRET_FILE: z
    .string()
    .optional()
    .describe('File that holds ROOT_SECRET, for a process that is not given the variable itself.'),
};

const isProblem = (read: string | ConfigProblem): read is ConfigProblem => typeof read !== 'string';

const readFile = (path: string): string | ConfigProblem => {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return {
      variable: 'ROOT_SECRET_FILE',
      problem: `names a file that cannot be read (${code}): mount it, or set ROOT_SECRET`,
    };
  }
};

/** The root secret of an environment; the variable wins over the file. */
export const readRootSecret = (source: EnvSource): RootSecret | ConfigProblem | undefined => {
  const { ROOT_SECRET: value, ROOT_SECRET_FILE: path } = source;
  const read = value || (path ? readFile(path) : undefined);
  if (read === undefined) return undefined;
  if (isProblem(read)) return read;
  if (isRootSecret(read)) return new RootSecret(read);
  return {
    variable: value ? 'ROOT_SECRET' : 'ROOT_SECRET_FILE',
    problem: `does not hold a root secret (${rootSecretRule}): restore the one that this installation was started with`,
  };
};
