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

Proves that a backup can be restored. Takes a backup of the running platform, restores it into separate engines, and
compares every Postgres table, EventStoreDB event and stored object with the source, and each restored read model with one
rebuilt from the restored events. It only reads from the platform.

  --keep <folder>    keep the backup in this empty folder (default: it is deleted at the end)
  --from <folder>    restore and compare the backup in this folder instead of taking one
  --json             print the report as JSON, in the last line
  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

To back up other engines, set POSTGRES_ADMIN_URL and EVENTSTORE_URL, with the KEK_ID, KEK and OBJECT_STORAGE_* of the
services. The backup is always restored into a separate PostgreSQL and into stand-ins for EventStoreDB, MongoDB and S3. NATS
is not backed up, no service is started, and backups made by the engines' own tools are not tested.

Exit status: 0 everything matches, 1 something differs or failed, 2 wrong usage.
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
