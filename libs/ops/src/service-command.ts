// A command that a service declares beside its streams and read models.
import type { ParseArgsConfig } from 'node:util';
import type { EnvSource } from '@parlance/config';
import type { Output } from './terminal.js';
import type { Values } from './values.js';

export interface ServiceGiven {
  readonly positionals: readonly string[];
  readonly values: Values;
  readonly input: NodeJS.ReadableStream;
  readonly output: Output;
  /** The variables of the service that the command belongs to. */
  readonly variables: EnvSource;
}

export interface ServiceCommand {
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** False when it was done but did not go well. @throws UsageError or anything that `describeFailure` knows */
  run(given: ServiceGiven): Promise<boolean>;
}
