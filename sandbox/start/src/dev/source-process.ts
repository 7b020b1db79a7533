// One service or the gateway, from its TypeScript sources: node source-process.js <root of the repository> <folder>. It loads its
// packages, then its code, then starts, each at a message: code which does not load never replaces a process that works.
import { on } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { FromSource, ToSource } from './messages.js';

interface Service {
  readonly Env: object;
  readonly start: (env: object, options?: object) => Promise<{ stop(): Promise<void> }>;
}
interface Config {
  readonly loadEnv: (schema: object, variables: Readonly<Record<string, string>>) => object;
}

/** Plain JavaScript, as the scripts of the repository are. */
interface Loader {
  readonly registerSources: (report: (message: FromSource) => void) => void;
}

// Without its platform the process has no job, and the engines are going away.
process.once('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);

// It keeps the messages that nobody awaits yet.
const inbox = on(process, 'message');
const received = async <T>(): Promise<T> => (await inbox.next()).value?.[0] as T;

const [root = '', folder = ''] = process.argv.slice(2);
const send = (message: FromSource): Promise<void> =>
  new Promise((resolve) => process.send?.(message, () => resolve()));
const refuse = async (error: unknown): Promise<never> => {
  const shown =
    error instanceof SyntaxError ? error.message : error instanceof Error ? error.stack : undefined;
  const text = shown ?? String(error);
  await send({ refused: text });
  return process.exit(1);
};

const { registerSources } = (await import(
  pathToFileURL(`${root}/scripts/lib/typescript/hooks.mjs`).href
)) as Loader;
registerSources((message) => void send(message));
const sourceOf = (workspace: string): string => pathToFileURL(`${root}/${workspace}/src/index.ts`).href;

const load = async (): Promise<readonly [Service, Config]> => {
  try {
    return [(await import(sourceOf(folder))) as Service, (await import(sourceOf('libs/config'))) as Config];
  } catch (error) {
    return refuse(error);
  }
};

const { libraries } = await received<{ libraries: readonly string[] }>();
for (const library of libraries) await import(library).catch(() => undefined); // its importer shows the error
await received<'load'>();
const [service, config] = await load();
let demoWidget: object | undefined;
process.on('message', (message: ToSource) => {
  if (typeof message === 'object' && 'demoWidget' in message) demoWidget = message.demoWidget;
});
await send('loaded');
const { variables } = await received<{ variables: Readonly<Record<string, string>> }>();
try {
  // What the second parameter of another service takes is for its tests.
  const options = folder === 'gateway' ? { demoWidget: () => demoWidget } : undefined;
  const running = await service.start(config.loadEnv(service.Env, variables), options);
  process.once('SIGTERM', () => {
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  await send('ready');
} catch (error) {
  await refuse(error);
}
