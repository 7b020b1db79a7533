// The doctor as a person types it: options, help, and a status that tells scripts the result.
import { parseArgs } from 'node:util';
import { diagnose } from './diagnosis/diagnose.js';
import type { Check, Machine, Place } from './probe/check.js';
import { printed } from './report/print.js';

/** A terminal, or a file. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface DoctorHost {
  readonly args: readonly string[];
  readonly checks: readonly Check[];
  /**
   * The processes to look from.
   * @param dataDir as given on the command line
   * @throws CannotLook where there is none
   */
  places(dataDir: string | undefined): readonly Place[];
  readonly output: Output;
  readonly errors: Output;
  readonly machine?: Machine;
}

/** There is nothing to look at, or the command was called wrongly. The message names the remedy. */
export class CannotLook extends Error {
  override readonly name = 'CannotLook';
}

const help = `npm run doctor [-- options]

Checks every engine from the platform's point of view and reports each fault with its evidence and its remedy. The only
change it makes is one small object in the bucket for files, which it writes, reads and deletes.

  --only <checks>    comma-separated names of checks
  --call             also calls DOCTOR_ECHO_NUMBER through each carrier account and hangs up; the carriers charge for it
  --json             print the report as JSON
  --verbose          also list what is healthy
  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

By default it checks the platform that npm start runs. With the variables of a process in the environment
(docs/configuration.md) it checks the engines that they name. In a container:
docker compose exec calls-logs /app/deploy/image/entrypoint.sh doctor

Exit status: 0 no fault, 1 at least one fault, 2 the checks could not run. docs/doctor.md lists every fault.
`;

const options = {
  only: { type: 'string' },
  call: { type: 'boolean' },
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new CannotLook(`${error instanceof Error ? error.message : String(error)}\n--help tells more.`);
  }
};

/** @throws CannotLook for a name that no check has */
const chosen = (checks: readonly Check[], only: string | undefined): readonly Check[] => {
  if (only === undefined) return checks;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0)
    throw new CannotLook(
      `There is no check "${unknown.join('", "')}". There are: ${checks.map(({ name }) => name).join(', ')}`,
    );
  return checks.filter(({ name }) => names.includes(name));
};

/** One line of a terminal that tells the progress; nothing elsewhere. */
const progressOn = (errors: Output) => {
  if (errors.isTTY !== true) return { show: () => undefined, end: () => undefined };
  const clear = '\r\u001B[K';
  return {
    show: (done: number, all: number, check: string): void =>
      void errors.write(`${clear}looking: ${done} of ${all} (${check})`),
    end: (): void => void errors.write(clear),
  };
};

const look = async (host: DoctorHost): Promise<number> => {
  const values = parse(host.args);
  if (values.help === true) {
    host.output.write(help);
    return 0;
  }
  const checks = chosen(host.checks, values.only);
  const places = host.places(values['data-dir']);
  const progress = progressOn(host.errors);
  const report = await diagnose({
    ...{ places, checks, placesCalls: values.call === true, onProgress: progress.show },
    ...(host.machine === undefined ? {} : { machine: host.machine }),
  });
  progress.end();
  const columns = host.output.isTTY === true ? host.output.columns : undefined;
  host.output.write(
    values.json === true
      ? `${JSON.stringify(report, null, 2)}\n`
      : printed(report, { columns, isVerbose: values.verbose === true }),
  );
  return report.healthy ? 0 : 1;
};

/** @returns the exit status: 0 nothing is wrong, 1 something is, 2 it could not look */
export const runDoctor = async (host: DoctorHost): Promise<number> => {
  try {
    return await look(host);
  } catch (error) {
    if (!(error instanceof CannotLook)) throw error;
    host.errors.write(`${error.message}\n`);
    return 2;
  }
};
