// npm start: the output that a person sees of the platform on one machine.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { refuseUnread } from '@parlance/config';
import { type Fault, firstLook, headline } from './first-look.js';
import { type Platform, startPlatform } from './platform.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const help = `npm start -- [options]

Runs the whole platform on this machine, without Docker, on loopback only.

  --port <n>         port of the gateway (default: 4700, or a free one)
  --data-dir <path>  folder that keeps all data (default: .parlance)
  --time-scale <n>   how much faster than life simulated people talk (default: 4)
  --real-media       real calls between LiveKit's own programs and telephones on the wire, all on loopback, instead of
                     simulated people; needs livekit-server, livekit-sip, redis-server and sipp (docs/real-engines.md)
  --browser-voice    real conversations in the browser: LiveKit's own server and a voice runtime, all on loopback; needs
                     livekit-server, and no telephone can be called. --real-media has both
  --empty            without the first organization: somebody sets it up at /set-up, with the code in the log
  --dialers <n>      copies of the dialer, which share the work (default: 1)
  --help             this text

Every variable of .env.example may be set in the environment. An engine that is named there is used as it is:
POSTGRES_ADMIN_URL, NATS_URL, EVENTSTORE_URL, MONGODB_URL, OBJECT_STORAGE_URL, LIVEKIT_URL with LIVEKIT_WS_URL,
LIVEKIT_API_KEY and LIVEKIT_API_SECRET, TWILIO_ACCOUNT_SID, TELNYX_API_KEY, SMTP_URL with MAIL_FROM. A mongod that is installed is started.
Everything else is started here, or a stand-in for it, and stopped with Ctrl-C.
`;

const options = {
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  'time-scale': { type: 'string' },
  'real-media': { type: 'boolean' },
  'browser-voice': { type: 'boolean' },
  empty: { type: 'boolean' },
  dialers: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const number = (text: string | undefined, name: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} takes a number, not "${text}".`);
  return process.exit(2);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return process.exit(2);
  }
};

const banner = (
  { url, engines, firstOrganization, isRealMedia, hasDemo }: Platform,
  seconds: string,
  faults: readonly Fault[],
): string => {
  const lines = [
    '',
    ...headline(url, seconds, faults),
    ...engines.summary.map(([name, what]) => `    ${name.padEnd(14)}${what}`),
    '',
  ];
  if (firstOrganization) {
    const { email, password, apiKey } = firstOrganization;
    lines.push(
      '  Your first organization, shown this once:',
      `    e-mail        ${email}`,
      `    password      ${password}`,
      `    API key       ${apiKey}`,
      '',
    );
  }
  lines.push(
    `  Look around:    ${url}/api/v1/docs`,
    ...(hasDemo ? [`  On a website:   ${url}/widget-demo`] : []),
    `  First campaign: npm run tour${isRealMedia ? ' -- --real-media' : ''}        (in another terminal)`,
    '  A call to you:  npm run ring -- <one of your numbers>',
    '  Stop:           Ctrl-C',
    '',
  );
  return lines.join('\n');
};

const parentLookMs = 250;

/** Calls back once this process has another parent than it began with. */
const onOrphaned = (parent: number, orphaned: () => void): void => {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    orphaned();
  }, parentLookMs);
  look.unref();
};

/** Ctrl-C reaches this process twice, from the terminal and from npm. */
const oneWishMs = 1_000;

/**
 * Resolves at the first signal, or when `parent` is gone, which a kill of npm leaves as its only trace. A later signal ends
 * the process at once.
 */
const untilAskedToStop = (parent: number | undefined): Promise<void> =>
  new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (): void => {
      askedAt ??= performance.now();
      if (performance.now() - askedAt > oneWishMs) process.exit(1);
      resolve();
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
    process.on('SIGHUP', ask);
    if (parent !== undefined) onOrphaned(parent, resolve);
  });

/**
 * Runs until it is asked to stop, then ends the process.
 * @param parent process for which this one runs, such as npm
 */
export const main = async (args: readonly string[], parent?: number): Promise<void> => {
  const values = parse(args);
  if (values.help) {
    console.log(help);
    return;
  }
  const port = number(values.port, 'port');
  const timeScale = number(values['time-scale'], 'time-scale');
  const dialers = number(values.dialers, 'dialers');
  const started = performance.now();
  const asked = untilAskedToStop(parent);
  try {
    refuseUnread();
    const platform = await startPlatform({
      dataDir: resolve(root, values['data-dir'] ?? '.parlance'),
      cacheDir: resolve(root, 'node_modules', '.cache', 'parlance'),
      source: process.env,
      realMedia: values['real-media'] ?? false,
      browserVoice: values['browser-voice'] ?? false,
      empty: values.empty ?? false,
      onProgress: (step) => console.log(`  ${step} ...`),
      ...(port === undefined ? {} : { port }),
      ...(timeScale === undefined ? {} : { timeScale }),
      ...(dialers === undefined ? {} : { dialers: Math.ceil(dialers) }),
    });
    const faults = await firstLook(platform.url, platform.hasTelephones);
    console.log(banner(platform, ((performance.now() - started) / 1000).toFixed(1), faults));
    await asked;
    console.log('  stopping ...');
    await platform.stop();
    process.exit(0);
  } catch (error) {
    console.error(`\nParlance could not start. ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
};
