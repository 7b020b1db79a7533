// npm start: the output that a person sees of the platform on one machine.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { refuseUnread } from '@parlance/config';
import { banner } from './banner.js';
import { firstLook } from './first-look.js';
import { startPlatform } from './platform.js';
import { collectWhenQuiet } from './quiet-collection.js';
import { missingForBrowserVoice } from './real-media-programs.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const options = {
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  'time-scale': { type: 'string' },
  'real-media': { type: 'boolean' },
  'browser-voice': { type: 'boolean' },
  voice: { type: 'boolean' },
  'scripted-agent': { type: 'boolean' },
  empty: { type: 'boolean' },
  dialers: { type: 'string' },
} as const;

const number = (text: string | undefined, name: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} takes a number, not "${text}".`);
  return process.exit(2);
};

const parse = (args: readonly string[], help: string) => {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return process.exit(2);
  }
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
export const untilAskedToStop = (parent: number | undefined): Promise<void> =>
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
 * @param help the text beside the refusal of a wrong option
 */
export const main = async (
  args: readonly string[],
  parent?: number,
  help = 'npm start -- --help lists the options.',
): Promise<void> => {
  const values = parse(args, help);
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
      voice: values.voice ?? false,
      scriptedAgent: values['scripted-agent'] ?? false,
      empty: values.empty ?? false,
      onProgress: (step) => console.log(`  ${step} ...`),
      ...(port === undefined ? {} : { port }),
      ...(timeScale === undefined ? {} : { timeScale }),
      ...(dialers === undefined ? {} : { dialers: Math.ceil(dialers) }),
    });
    const faults = await firstLook(platform.url, platform.hasTelephones);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (values.voice && platform.engines.media === 'simulated')
      console.log(
        `  ${missingForBrowserVoice()} Calls are simulated, and visitors type (docs/real-engines.md).`,
      );
    console.log(banner(platform, { seconds, faults, dataDir: values['data-dir'] }));
    collectWhenQuiet();
    await asked;
    console.log('  stopping ...');
    await platform.stop();
    process.exit(0);
  } catch (error) {
    console.error(`\nParlance could not start. ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
};
