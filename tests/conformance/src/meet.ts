// Meets one real engine: finds it, starts it, runs its suite against it, and stops it again.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { judge, type Verdict } from './outcomes.js';
import type { RealEngine, Server } from './real-engine.js';
import { runSuites } from './suites.js';
import { isOlder } from './versions.js';

/** The engine is absent, its server is too old or does not start, or the server has run its suite. */
export type Meeting =
  | { readonly engine: RealEngine; readonly state: 'absent' }
  | { readonly engine: RealEngine; readonly state: 'too old'; readonly server: Server }
  | {
      readonly engine: RealEngine;
      readonly state: 'did not start';
      readonly server: Server;
      readonly reason: string;
    }
  | {
      readonly engine: RealEngine;
      readonly state: 'met';
      readonly server: Server;
      readonly verdict: Verdict;
      readonly seconds: number;
      /** All that jest wrote. */
      readonly output: string;
    };

export interface MeetOptions {
  /** Folder for data and logs; each engine makes one of its own in it. */
  readonly directory: string;
  readonly containers: boolean;
  /** Regular expression; only tests with such a name. */
  readonly only?: string | undefined;
}

/** The installed program comes before the container: it starts at once. */
export const findServer = async (engine: RealEngine, containers: boolean): Promise<Server | undefined> =>
  (await engine.installed()) ?? (containers ? engine.inContainer?.() : undefined);

/** The folder of an engine's data and logs. */
export const folderOf = (directory: string, { title }: RealEngine): string =>
  join(directory, title.toLowerCase().replaceAll(' ', '-'));

export const meet = async (engine: RealEngine, options: MeetOptions): Promise<Meeting> => {
  const server = await findServer(engine, options.containers);
  if (server === undefined) return { engine, state: 'absent' };
  if (engine.oldest !== undefined && isOlder(server.version, engine.oldest))
    return { engine, state: 'too old', server };
  const directory = folderOf(options.directory, engine);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const begun = performance.now();
  try {
    const { variables, stop } = await server.start(directory);
    try {
      const only = options.only ?? server.only;
      const { outcomes, output } = await runSuites({
        engines: [engine.engine],
        variables,
        only,
        quiet: true,
      });
      const verdict = judge(outcomes, server.limits);
      return { engine, state: 'met', server, verdict, output, seconds: (performance.now() - begun) / 1_000 };
    } finally {
      await stop();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { engine, state: 'did not start', server, reason };
  }
};

/** False where a suite failed, or where a server that is there did not start. */
export const conforms = (meeting: Meeting): boolean =>
  meeting.state === 'met' ? meeting.verdict.conforms : meeting.state !== 'did not start';
