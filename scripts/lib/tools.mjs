// Runs a command on streams and read models: of the platform that npm start runs, or of the one in the environment.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, install, root } from './prepare.mjs';

/** The platform that the environment names: one in production. */
const fromEnvironment = { variablesOf: () => process.env, logs: [] };

const fromFolder = (DataFolder, dataDir) => {
  const path = resolve(root, dataDir ?? '.parlance');
  const folder = existsSync(path) ? new DataFolder(path) : undefined;
  if (folder?.runningAt() === undefined)
    throw new Error(
      `No platform runs on ${path}. Start it with npm start, name its folder with --data-dir, or set POSTGRES_URL,\n` +
        'EVENTSTORE_URL, MONGODB_URL, KEK_ID and KEK in the environment, as the service has them.',
    );
  const variables = folder.serviceVariables();
  return { variablesOf: ({ service }) => variables[service] ?? {}, logs: [join(path, 'logs')] };
};

/** @param name of a command on streams; undefined: of the services' own, as the first argument says */
const run = async (name) => {
  const { commands, erasuresCommand, runCommand, runOperatorCommand } = await import(
    '../../libs/ops/dist/index.js'
  );
  const { operations: callsLogs } = await import('../../services/calls-logs/dist/index.js');
  const { operations: outboundDialer } = await import('../../services/outbound-dialer/dist/index.js');
  const { DataFolder } = await import('../../sandbox/start/dist/index.js');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop.abort(new Error('It was stopped.')));
  const host = {
    args: process.argv.slice(2),
    services: [callsLogs, outboundDialer],
    find: (dataDir) =>
      dataDir === undefined && process.env.POSTGRES_URL ? fromEnvironment : fromFolder(DataFolder, dataDir),
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    signal: stop.signal,
  };
  if (name !== undefined) return runCommand(commands[name], host);
  const { drillCommand } = await import('../../sandbox/start/dist/drill/command.js');
  const { kekCommand } = await import('../../libs/ops/dist/kek.js');
  const { operations: gateway } = await import('../../gateway/dist/index.js');
  const sealing = [];
  for (const service of [
    'agents-config',
    'calls-logs',
    'mcp-hub',
    'outbound-dialer',
    'tools-secrets',
    'widgets',
  ])
    sealing.push((await import(`../../services/${service}/dist/index.js`)).sealing);
  const { quotasCommand } = await import('../../libs/ops/dist/quotas.js');
  const quotas = [];
  for (const service of ['knowledge', 'outbound-dialer', 'calls-logs'])
    quotas.push((await import(`../../services/${service}/dist/index.js`)).quotas);
  return runOperatorCommand(host, {
    drill: drillCommand,
    kek: kekCommand(sealing),
    quotas: quotasCommand(quotas),
    erasures: erasuresCommand([gateway]),
  });
};

/** Builds the changed files, runs the command with the arguments of this process, and exits with its status. */
export const runTool = async (name) => {
  await install();
  build();
  process.exit(await run(name));
};
