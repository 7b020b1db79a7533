// `npm run ops -- drill`: takes a backup of a running platform, restores it beside the platform, and reports whether
// the copy agrees.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EnvSource, loadEnv, objectStorageEnv } from '@parlance/config';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { type OperatorCommand, text, UsageError } from '@parlance/ops';
import { z } from 'zod';
import { DataFolder } from '../data-folder.js';
import { type Progress, type Source, takeBackup } from './backup.js';
import { compareBackup, type Finding } from './comparison.js';
import { openPlace } from './place.js';

const help = `npm run ops -- drill [options]

Proves that a backup can be restored. It takes one of the running platform, restores it into engines of its own beside the platform,
and compares: every table of Postgres, every event of EventStoreDB and every object of the object storage with what the source said
of them, and each read model that was restored with the same one made anew from the restored events. It reads the platform and writes
nothing there.

  --keep <folder>    write the backup into this empty folder and leave it there; else it is deleted at the end
  --from <folder>    take no backup: restore and compare the one in this folder
  --json             print the report as one JSON value, which is the last line
  --data-dir <path>  data folder of the platform that npm start runs (default: .parlance)
  --help             this text

With POSTGRES_ADMIN_URL and EVENTSTORE_URL in the environment it works on these, with KEK_ID, KEK and OBJECT_STORAGE_* of the services.
It restores into a PostgreSQL of its own, and into stand-ins of EventStoreDB, MongoDB and S3, whatever the source runs on. It copies
nothing of NATS, starts no service, and does not try the backups of the engines' own tools.

Exit status: 0 everything agrees, 1 something differs or failed, 2 called wrongly.
`;

interface Found {
  readonly source: Source;
  readonly variablesOf: (service: string) => EnvSource;
}

const StorageEnv = z.object(objectStorageEnv);
const storageOf = (variables: EnvSource): ObjectStorage | undefined =>
  connectObjectStorage(loadEnv(StorageEnv, variables));

const fromFolder = (path: string): Found => {
  const folder = existsSync(path) ? new DataFolder(path) : undefined;
  const port = folder?.state().ports.postgres;
  const variables = folder?.serviceVariables() ?? {};
  const eventStoreUrl = variables['calls-logs']?.EVENTSTORE_URL;
  if (folder?.runningAt() === undefined || port === undefined || eventStoreUrl === undefined)
    throw new Error(
      `No platform with a Postgres of its own runs on ${path}. Start it with npm start, name its folder with --data-dir, or set ` +
        'POSTGRES_ADMIN_URL, EVENTSTORE_URL, KEK_ID and KEK in the environment.',
    );
  const { postgresPassword } = folder.secrets();
  return {
    source: {
      postgresAdminUrl: `postgres://parlance:${postgresPassword}@127.0.0.1:${port}/parlance`,
      eventStoreUrl,
      storage: storageOf(variables.knowledge ?? {}),
    },
    variablesOf: (service) => variables[service] ?? {},
  };
};

/** The platform that the environment names, or else the one of a data folder. */
const findPlatform = (dataDir: string | undefined, environment: EnvSource): Found => {
  const { POSTGRES_ADMIN_URL: postgresAdminUrl, EVENTSTORE_URL: eventStoreUrl } = environment;
  if (dataDir === undefined && postgresAdminUrl && eventStoreUrl)
    return {
      source: { postgresAdminUrl, eventStoreUrl, storage: storageOf(environment) },
      variablesOf: () => environment,
    };
  return fromFolder(resolve(dataDir ?? '.parlance'));
};

const reportOf = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(
    ({ what, expected, found, problems }) =>
      `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${what.padEnd(width)}  ${problems.length === 0 ? found : `${found || '-'}, expected ${expected}`}`,
  );
  const problems = findings.flatMap((finding) => finding.problems);
  const end =
    problems.length === 0
      ? ['', 'Everything came back as it was.']
      : [
          '',
          ...problems.map((problem) => `  ${problem}`),
          '',
          'What came back does not agree with the source.',
        ];
  return `${[...lines, ...end].join('\n')}\n`;
};

const emptyFolder = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (readdirSync(path).length > 0) throw new UsageError(`${path} is not empty.`);
  return path;
};

export const drillCommand: OperatorCommand = {
  summary: 'take a backup, restore it beside the platform, and compare',
  help,
  options: { keep: { type: 'string' }, from: { type: 'string' }, json: { type: 'boolean' } },
  run: async ({ values, place: { services, output, errors } }) => {
    const [keep, from] = [text(values, 'keep'), text(values, 'from')];
    if (keep !== undefined && from !== undefined)
      throw new UsageError('--keep and --from exclude each other.');
    const { source, variablesOf } = findPlatform(text(values, 'data-dir'), process.env);
    const progress: Progress = (line) => void errors.write(`${line}\n`);
    const scratch = mkdtempSync(join(tmpdir(), 'parlance-drill-'));
    const folder = from ?? (keep === undefined ? join(scratch, 'backup') : emptyFolder(resolve(keep)));
    try {
      if (from === undefined) await takeBackup(source, folder, progress);
      const place = await openPlace(scratch);
      try {
        const findings = await compareBackup({
          ...{ folder, place, services, progress },
          variablesOf: ({ service }) => variablesOf(service),
        });
        output.write(values.json === true ? `${JSON.stringify(findings)}\n` : reportOf(findings));
        return findings.every(({ problems }) => problems.length === 0);
      } finally {
        await place.close();
      }
    } finally {
      source.storage?.close();
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};
