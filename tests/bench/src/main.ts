// npm run bench: the choice of a bench and of its duration.
import { parseArgs } from 'node:util';

const help = `npm run bench [-- <what>] [options]

  platform (default)  the gateway's whole path beside a bare Express + pg handler, side by side in one run
  engines             the stand-ins for EventStoreDB and MongoDB through their official clients, at a million records
  calls               the call log and the dashboard over many calls, and how fast finished calls are taken over
  scrub               what it costs to make a hostile text fit for the log, at several sizes
  json                reading and writing JSON with every digit of its numbers, beside the engine's own codec
  campaigns           a million recipients imported and read, attempts of one and three dialers, how soon the first rings
  outbox              a broker that lost everything is sent millions of events again, beside new ones
  tools               100 calls that talk, alone and beside 50 tools that hang, side by side in one run
  mcp                 a tool of an MCP server, called directly and through the platform, side by side in one run
  widget              sizes of the website widget, and how soon it is there and connected, beside a page without it
  console             the script of each screen of the console and how soon it is there, live events, a long call log
  knowledge           how good and how fast searches are; vectors are those of EMBEDDINGS_URL, or of a small model
  ingestion           how fast a site and a PDF become chunks that a search finds, and the memory that it takes

  --rounds <n>        platform, tools, mcp, widget, console: how often everything is measured, in turn; medians are shown (default: 3)
  --seconds <n>       per measurement (default: 4)
  --connections <n>   platform: open at once (default: 50)
  --calls <n>         calls, console: how many there are (default: 1000000)
  --events <n>        calls: read models are made anew from so many; four make a call (default: 100000)
  --rows <n>          campaigns: of the CSV file; the XLSX file has a fifth of them (default: 1000000)
  --attempts <n>      campaigns: made by one dialer, and then by three (default: 2000)
  --sent <n>          outbox: events to send again (default: 2000000)
  --chunks <n>        knowledge: chunks in the corpus (default: 100000)
  --pages <n>         ingestion: of the site, at most 1000; the PDF has half as many (default: 1000)
  --help              this text
`;

const options = {
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '4' },
  connections: { type: 'string', default: '50' },
  calls: { type: 'string', default: '1000000' },
  events: { type: 'string', default: '100000' },
  rows: { type: 'string', default: '1000000' },
  attempts: { type: 'string', default: '2000' },
  sent: { type: 'string', default: '2000000' },
  chunks: { type: 'string', default: '100000' },
  pages: { type: 'string', default: '1000' },
  help: { type: 'boolean', default: false },
} as const;

const fail = (message: string): never => {
  console.error(`${message}\n\n${help}`);
  return process.exit(2);
};

const parse = () => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

const { values, positionals } = parse();

const number = (
  name:
    | 'rounds'
    | 'seconds'
    | 'connections'
    | 'calls'
    | 'events'
    | 'rows'
    | 'attempts'
    | 'sent'
    | 'chunks'
    | 'pages',
): number => {
  const value = Number(values[name]);
  return value > 0 ? value : fail(`--${name} takes a number, not "${values[name]}".`);
};

const benches: Readonly<Record<string, () => Promise<void>>> = {
  platform: async () => {
    const { benchPlatform } = await import('./harness/platform-bench.js');
    const load = { seconds: number('seconds'), connections: number('connections') };
    await benchPlatform({ load, rounds: number('rounds') });
  },
  engines: async () => {
    const { benchEngines } = await import('./engines/bench.js');
    await benchEngines({ seconds: number('seconds') });
  },
  calls: async () => {
    const { benchCalls } = await import('./calls/bench.js');
    await benchCalls({ calls: number('calls'), events: number('events') });
  },
  scrub: async () => {
    const { benchScrub } = await import('./scrub/bench.js');
    await benchScrub();
  },
  json: async () => {
    const { benchJson } = await import('./json/bench.js');
    await benchJson();
  },
  campaigns: async () => {
    const { benchCampaigns } = await import('./campaigns/bench.js');
    await benchCampaigns({ rows: number('rows'), attempts: number('attempts') });
  },
  outbox: async () => {
    const { benchOutbox } = await import('./outbox/bench.js');
    await benchOutbox({ rows: number('sent') });
  },
  tools: async () => {
    const { benchTools } = await import('./tools/bench.js');
    await benchTools({ rounds: number('rounds'), seconds: number('seconds') });
  },
  mcp: async () => {
    const { benchMcp } = await import('./mcp/bench.js');
    await benchMcp({ rounds: number('rounds'), seconds: number('seconds') });
  },
  console: async () => {
    const { benchConsole } = await import('./console/bench.js');
    await benchConsole({ rounds: number('rounds'), calls: number('calls'), seconds: number('seconds') });
  },
  widget: async () => {
    const { benchWidget } = await import('./widget/bench.js');
    await benchWidget({ rounds: number('rounds') });
  },
  knowledge: async () => {
    const { benchKnowledge } = await import('./knowledge/bench.js');
    await benchKnowledge({ chunks: number('chunks') });
  },
  ingestion: async () => {
    const { benchIngestion } = await import('./ingestion/bench.js');
    await benchIngestion({ pages: number('pages') });
  },
};

const [what = 'platform'] = positionals;
const bench = benches[what];
if (values.help) console.log(help);
else if (bench === undefined) fail(`There is no bench "${what}".`);
else await bench();
