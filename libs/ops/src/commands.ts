// The commands by name, with their own descriptions.
import { catCommand } from './cat.js';
import type { Command } from './command.js';
import { UsageError } from './failures.js';
import { rebuildCommand, replayCommand } from './read-model-commands.js';
import { defaultScan, traceCommand } from './trace.js';
import { wholeNumber } from './values.js';

const where = `  --data-dir <path>  data folder of the platform that npm start runs (default: .parlance)
  --help             this text

It works on the platform that npm start runs here. With POSTGRES_URL in the environment it works on whatever the
environment names instead: give it the variables of the service, as in docs/configuration.md.
`;

const esRebuild: Command = {
  help: `npm run es:rebuild -- <read model> | all [options]

Makes a read model anew from the first event, beside the one that is being read, and swaps them when it has caught up.
Nothing has to be stopped, nobody sees half of it, and if it is ended early nothing has changed. Without a name it lists
the read models.

${where}`,
  options: {},
  run: async ({ place, positionals }) => {
    await rebuildCommand(place, positionals[0]);
    return true;
  },
};

const esReplay: Command = {
  help: `npm run es:replay -- <read model> | all [options]

Applies the events that the read model had set aside because it could not take them, once what was wrong is mended. May
be run again and again, also while the services run. Without a name it lists the read models.

${where}`,
  options: {},
  run: ({ place, positionals }) => replayCommand(place, positionals[0]),
};

const esCat: Command = {
  help: `npm run es:cat -- <stream> [options]

Prints the events of a stream, such as call-0198c1b2-... or outboundCall-0198c1b2-...

  --from <n>         begin with this revision (default: 0)
  --limit <n>        at most so many events (default: 1000)
  --json             one event per line, as JSON
  --personal         open the personal parts: numbers, words, variables. They stay sealed unless asked for
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

Prints what is known of one request, in the order in which it happened: log lines that carry its id, the events that it
caused, the events that these caused, and what the calls behind them came to. The id is in the X-Request-Id header of
every answer and in the body of every error.

  --logs <file>      also look in this file or folder, or in standard input for -; may be given more than once
  --scan <n>         look for events among the newest so many (default: ${defaultScan.toLocaleString('en')})
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
