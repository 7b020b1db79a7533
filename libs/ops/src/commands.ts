// The commands by name, with their own descriptions.
import { catCommand } from './cat.js';
import type { Command } from './command.js';
import { UsageError } from './failures.js';
import { rebuildCommand, replayCommand } from './read-model-commands.js';
import { defaultScan, traceCommand } from './trace.js';
import { wholeNumber } from './values.js';

const where = `  --data-dir <path>  data folder of npm start (default: .parlance)
  --help             show this help

By default this works on the platform that npm start runs. For another platform, set POSTGRES_URL and the other
variables of the service (docs/configuration.md).
`;

const esRebuild: Command = {
  help: `npm run es:rebuild -- <read model> | all [options]

Rebuilds a read model from the first event next to the one in use, and swaps them once it has caught up. Services keep
running, readers never see a partial model, and stopping early changes nothing. Without a name, lists the read models.

${where}`,
  options: {},
  run: async ({ place, positionals }) => {
    await rebuildCommand(place, positionals[0]);
    return true;
  },
};

const esReplay: Command = {
  help: `npm run es:replay -- <read model> | all [options]

Applies the events that the read model has parked because they failed, once the cause is fixed. Safe to repeat and to
run while the services run. Without a name, lists the read models.

${where}`,
  options: {},
  run: ({ place, positionals }) => replayCommand(place, positionals[0]),
};

const esCat: Command = {
  help: `npm run es:cat -- <stream> [options]

Prints the events of a stream, such as call-0198c1b2-... or outboundCall-0198c1b2-...

  --from <n>         first revision (default: 0)
  --limit <n>        maximum number of events (default: 1000)
  --json             one event per line, as JSON
  --personal         decrypt personal data: numbers, transcripts, variables
${where}`,
  options: {
    from: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    personal: { type: 'boolean' },
  },
  run: async ({ place, positionals, values }) => {
    await catCommand(place, positionals[0], {
      from: wholeNumber(values, 'from') ?? 0,
      limit: wholeNumber(values, 'limit') ?? 1_000,
      json: values.json === true,
      personal: values.personal === true,
    });
    return true;
  },
};

const trace: Command = {
  help: `npm run trace -- <request id> [options]

Prints everything about one request in chronological order: log lines with its ID, the events that it caused directly
or indirectly, and the outcomes of the calls behind them. The ID is in the X-Request-Id header of every response and in
the body of every error.

  --logs <file>      also search this file or folder, or standard input for -; can be repeated
  --scan <n>         number of most recent events to search (default: ${defaultScan.toLocaleString('en')})
${where}`,
  options: { logs: { type: 'string', multiple: true }, scan: { type: 'string' } },
  run: ({ place, positionals, values, installation, input }) => {
    const [requestId] = positionals;
    if (requestId === undefined || requestId === '')
      throw new UsageError('Which request? Its id is in the X-Request-Id header of the answer.');
    const more = Array.isArray(values.logs) ? values.logs.map(String) : [];
    const scan = wholeNumber(values, 'scan') ?? defaultScan;
    return traceCommand(place, requestId, { logs: [...installation().logs, ...more], input, scan });
  },
};

export const commands = { 'es:rebuild': esRebuild, 'es:replay': esReplay, 'es:cat': esCat, trace } as const;
