import type { Derivation } from './derivation.js';

/** Facts of a variable besides its description. */
export interface VariableMeta {
  /** True for a variable whose value must not be printed or committed. */
  readonly secret?: boolean;
  /** A command that prints a good value. */
  readonly make?: string;
  /** The default as the environment writes it, where the schema reads another form. */
  readonly otherwise?: string;
  /** Where the value comes from when it is not set and there is a root secret. */
  readonly derive?: Derivation;
  /** True for a variable that is never set outside tests, and not documented for operators. */
  readonly testOnly?: boolean;
}

/** A key that is made at random. */
export const randomKey: VariableMeta = { secret: true, make: 'openssl rand -base64 32' };
