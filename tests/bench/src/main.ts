// npm run bench: the choice of a bench and of its duration.
import { parseArgs } from 'node:util';

const help = `npm run bench [-- <what>] [options]

  platform (default)  a request through the gateway, compared with a bare Express + pg handler
  engines             the stand-ins for EventStoreDB and MongoDB through their official clients, with a million records
  calls               call log and dashboard over many calls, and the rate at which finished calls are recorded
  cost                processor time, statements, messages and requests of an attempt and of an ingested call, beside another checkout
  idle                processor time, memory, SQL statements and messages of a platform that nobody uses; time to ready
  growth              processor time and SQL of an attempt, beside few and many old campaigns
  scale               simulated queues of the parts of the platform, by calls per second
  scrub               cost of sanitizing hostile text for the log, by size
  json                lossless JSON, compared with JSON.parse and JSON.stringify
  campaigns           import of a million recipients, attempts by one and three dialers, time to the first ring
  outbox              republishing millions of events to an empty broker, next to new events
  tools               100 calls, alone and next to 50 tools that hang
  mcp                 a tool of an MCP server, called directly and through the platform
  widget              size, load time and connection time of the website widget, compared with a page without it
  console             script size and load time per console screen, live events, a long call log
  knowledge           quality and speed of search, with the embeddings of EMBEDDINGS_URL or of a small model
  speech              the local speech service: times, word error rate, memory, calls at once (npm run voice:setup)
  ingestion           time and memory to make a website and a PDF searchable

  --beside <folder>   cost: a built checkout to compare with
  --full              growth: 1, 100 and 10,000 old campaigns of 100 calls each, instead of 1, 10 and 100
  --cores <n>         scale: cores of the whole installation (default: as many as the calls take)
  --calls-per-second <n>
                      scale: calls that begin each second (default: 167, which is 10,000 a minute)
  --replicas <list>   scale: replicas of a part, or cores of an engine: gateway=3,projection=2,postgres=8
  --ring-seconds <n>, --talk-seconds <n>
                      scale: how long phones ring and calls last (default: 5 and 80)
  --seed <n>          scale: seed of the random numbers (default: 1)
  --seconds <n>       length of a measurement (default: 4; idle: 30)
  --rounds <n>        platform, cost, growth, tools, mcp, widget, console: rounds, of which the median is shown (default: 3)
  --connections <n>   platform: concurrent connections (default: 50)
  --calls <n>         calls, console: calls in the log (default: 1000000)
  --events <n>        calls: events to rebuild read models from, four per call (default: 100000)
  --rows <n>          campaigns: rows of the CSV file; the XLSX file has a fifth (default: 1000000)
  --attempts <n>      campaigns, cost: attempts by one dialer; campaigns: then by three (default: 2000);
                      growth: attempts in each round (default: 200)
  --sent <n>          outbox: events to republish (default: 2000000)
  --chunks <n>        knowledge: chunks in the corpus (default: 100000)
  --pages <n>         ingestion: pages of the website, at most 1000; the PDF has half (default: 1000)
  --sentences <n>     speech: sentences that are spoken and heard again, at most 100 (default: 100)
  --callers <n>       speech: calls at once, at most (default: 8)
  --help              show this help
`;

const options = {
  beside: { type: 'string' },
  full: { type: 'boolean', default: false },
  cores: { type: 'string' },
  'calls-per-second': { type: 'string', default: '167' },
  replicas: { type: 'string' },
  'ring-seconds': { type: 'string', default: '5' },
  'talk-seconds': { type: 'string', default: '80' },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '4' },
  connections: { type: 'string', default: '50' },
  calls: { type: 'string', default: '1000000' },
  events: { type: 'string', default: '100000' },
  rows: { type: 'string', default: '1000000' },
  attempts: { type: 'string' },
  sent: { type: 'string', default: '2000000' },
  chunks: { type: 'string', default: '100000' },
  pages: { type: 'string', default: '1000' },
  sentences: { type: 'string', default: '100' },
  callers: { type: 'string', default: '8' },
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

type NumberOption = Exclude<keyof typeof options, 'beside' | 'full' | 'replicas' | 'help'>;

/** @param otherwise for an option whose default depends on the bench */
const number = (name: NumberOption, otherwise?: number): number => {
  const value = Number(values[name] ?? otherwise);
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
  cost: async () => {
    const { benchCost } = await import('./cost/bench.js');
    const [rounds, seconds, attempts] = [number('rounds'), number('seconds'), number('attempts', 2_000)];
    await benchCost({ rounds, seconds, attempts, ...(values.beside && { beside: values.beside }) });
  },
  idle: async () => {
    const { benchIdle } = await import('./idle/bench.js');
    await benchIdle({ seconds: values.seconds === options.seconds.default ? 30 : number('seconds') });
  },
  growth: async () => {
    const { benchGrowth } = await import('./growth/bench.js');
    const [rounds, attempts] = [number('rounds'), number('attempts', 200)];
    await benchGrowth({ rounds, attempts, isFull: values.full });
  },
  scale: async () => {
    const { benchScale, parseReplicas } = await import('./scale/bench.js');
    const { cores, replicas } = values;
    const orFail = <T>(parseText: () => T): T => {
      try {
        return parseText();
      } catch (error) {
        return fail(error instanceof Error ? error.message : String(error));
      }
    };
    benchScale({
      perSecond: number('calls-per-second'),
      seed: number('seed'),
      durations: { ringSeconds: number('ring-seconds'), talkSeconds: number('talk-seconds') },
      ...(cores !== undefined && { cores: Math.ceil(number('cores')) }),
      ...(replicas !== undefined && { replicas: orFail(() => parseReplicas(replicas)) }),
    });
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
    await benchCampaigns({ rows: number('rows'), attempts: number('attempts', 2_000) });
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
  speech: async () => {
    const { benchSpeech } = await import('./speech/bench.js');
    await benchSpeech({ sentences: number('sentences'), callers: number('callers') });
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
