// A command as a person types it: its options, its help, and a status that tells the result.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { EnvSource } from '@parlance/config';
import type { EventSourcedService } from './event-sourced-service.js';
import { describeFailure, UsageError } from './failures.js';
import type { Workplace } from './read-model-commands.js';
import type { Output } from './terminal.js';
import { text, type Values } from './values.js';

/** The platform that a command works on. */
export interface Installation {
  variablesOf(service: NamedService): EnvSource;
  /** Files that its processes log to. */
  readonly logs: readonly string[];
}

/** A process of the platform with databases of its own. */
export type NamedService = Pick<EventSourcedService, 'service'>;

export interface CommandHost {
  readonly args: readonly string[];
  readonly services: readonly EventSourcedService[];
  /** @param dataDir as given on the command line. @throws Error with the remedy where there is none */
  find(dataDir: string | undefined): Installation;
  readonly input: NodeJS.ReadableStream;
  readonly output: Output;
  readonly errors: Output;
  readonly signal?: AbortSignal;
}

export interface Given {
  readonly positionals: readonly string[];
  readonly values: Values;
  readonly place: Workplace;
  /** @throws Error with the remedy where there is none */
  installation(): Installation;
  readonly input: NodeJS.ReadableStream;
}

export interface Command {
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** False when it was done but did not go well. @throws UsageError or anything that `describeFailure` knows */
  run(given: Given): Promise<boolean>;
}

const common = { 'data-dir': { type: 'string' }, help: { type: 'boolean' } } as const;

const parse = ({ options }: Command, args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...common }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

/** A command about the platform as a whole, beside those that services bring along. */
export interface OperatorCommand extends Command {
  /** One line, for the list of commands. */
  readonly summary: string;
}

/** Runs it. @returns the exit status: 0 done, 1 failed, 2 called wrongly */
export const runCommand = async (command: Command, host: CommandHost): Promise<number> => {
  const { output, errors, services, signal, input } = host;
  try {
    const { positionals, values } = parse(command, host.args);
    if (values.help === true) {
      output.write(command.help);
      return 0;
    }
    let found: Installation | undefined;
    const installation = (): Installation => {
      found ??= host.find(text(values, 'data-dir'));
      return found;
    };
    const place: Workplace = {
      services,
      output,
      errors,
      variablesOf: (service) => installation().variablesOf(service),
      ...(signal === undefined ? {} : { signal }),
    };
    return (await command.run({ positionals, values, place, installation, input })) ? 0 : 1;
  } catch (error) {
    errors.write(`${describeFailure(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    errors.write('--help tells more.\n');
    return 2;
  }
};
