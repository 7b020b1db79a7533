// npm run dev: the platform as npm start runs it, with some of its processes from TypeScript sources.
import { join, resolve } from 'node:path';
import { loadEnv, refuseUnread } from '@parlance/config';
import { banner } from '../banner.js';
import { DataFolder } from '../data-folder.js';
import { keepDemoWidget } from '../demo-widget.js';
import { firstLook } from '../first-look.js';
import { untilAskedToStop } from '../main.js';
import { type Platform, type ProcessEnvironments, startPlatform } from '../platform.js';
import { type ServicesEnvironment, startServices } from '../services.js';
import { SourceService } from './source-service.js';

export interface DevOptions {
  /** The root of the repository. */
  readonly root: string;
  /** What runs from its sources: services, or the gateway. */
  readonly sources: readonly {
    readonly name: string;
    readonly folder: string;
    /** It listens on a port of its own, so two processes of it cannot run at once. */
    readonly hasPort: boolean;
  }[];
  readonly dataDir: string | undefined;
  readonly port: number | undefined;
  /** Process for which this one runs, such as npm. */
  readonly parent: number | undefined;
}

interface Stoppable {
  stop(): Promise<void>;
}

const mostSpares = 3;

const print = (line: string): void => console.log(`  ${line}`);

class DevPlatform {
  readonly #options: DevOptions;
  readonly #folder: DataFolder;
  readonly #sources = new Map<string, SourceService>();
  #widget: { readonly id: string; readonly hasVoice: boolean } | undefined;
  #gateway: Readonly<Record<string, string>> = {};

  constructor(options: DevOptions, folder: DataFolder) {
    this.#options = options;
    this.#folder = folder;
  }

  /** Starts every process, those from sources among them. */
  async launch({ services, gateway }: ProcessEnvironments): Promise<Stoppable> {
    this.#gateway = gateway;
    const fromSources = new Set(this.#options.sources.map(({ name }) => name));
    const variables: ServicesEnvironment = {
      ...services,
      // Ctrl-C, and the end of a replaced process, do not wait for phones that ring.
      'outbound-dialer': { DIALS_FINISH_WITHIN_SECONDS: '0', ...services['outbound-dialer'] },
      gateway,
    };
    const compiled: ServicesEnvironment = Object.fromEntries(
      Object.entries(variables).filter(([name]) => name !== 'gateway' && !fromSources.has(name)),
    );
    for (const { name, folder, hasPort } of this.#options.sources)
      this.#sources.set(
        name,
        new SourceService({
          root: this.#options.root,
          name,
          folder,
          variables: variables[name] ?? {},
          hasPort,
          // A process more for each of ten would cost more memory than the platform.
          keepsSpare: this.#options.sources.length <= mostSpares,
          print,
        }),
      );
    const settled = await Promise.allSettled([
      ...[...this.#sources.values()].map(async (service) => {
        await service.start();
        return service;
      }),
      ...(Object.keys(compiled).length === 0 ? [] : [this.#startCompiled(compiled)]),
      ...(fromSources.has('gateway') ? [] : [this.#startGateway(gateway)]),
    ]);
    const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const stop = async (): Promise<void> => {
      await Promise.all(started.map((one) => one.stop()));
    };
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed === undefined) return { stop };
    await stop();
    throw failed.reason;
  }

  /** The first organization and the widget of /widget-demo, as `npm start` makes them. */
  async prepare({
    url,
    engines,
    isRealMedia,
    isScripted,
    hasTelephones,
  }: Platform): Promise<Partial<Platform>> {
    const folder = this.#folder;
    const gateway = await import('@parlance/gateway');
    let firstOrganization: Platform['firstOrganization'];
    if (folder.state().demo === undefined) {
      firstOrganization = await gateway.createFirstOrganization(loadEnv(gateway.Env, this.#gateway));
      folder.saveState({ demo: firstOrganization });
    }
    folder.saveState({ url, isRealMedia, isScripted, hasTelephones, practice: engines.practice });
    const id = await keepDemoWidget(folder, url, print);
    if (id === undefined) return { firstOrganization, hasDemo: false };
    this.#widget = { id, hasVoice: engines.variables.BROWSER_VOICE === 'on' };
    this.#sources.get('gateway')?.tell({ demoWidget: this.#widget });
    return { firstOrganization, hasDemo: true };
  }

  #startCompiled(environment: ServicesEnvironment): Promise<Stoppable> {
    return startServices(Object.keys(environment), Promise.resolve(environment), {
      log: this.#folder.log('services'),
      pid: this.#folder.directory('services.pid'),
    });
  }

  async #startGateway(variables: Readonly<Record<string, string>>): Promise<Stoppable> {
    const gateway = await import('@parlance/gateway');
    return gateway.start(loadEnv(gateway.Env, variables), { demoWidget: () => this.#widget });
  }
}

/** Runs until it is asked to stop, then ends the process. */
export const dev = async (options: DevOptions): Promise<void> => {
  const { root, sources, dataDir, port, parent } = options;
  const began = performance.now();
  const asked = untilAskedToStop(parent);
  try {
    refuseUnread();
    const path = resolve(root, dataDir ?? '.parlance');
    const running = new DevPlatform(options, new DataFolder(path));
    const platform = await startPlatform({
      dataDir: path,
      cacheDir: join(root, 'node_modules', '.cache', 'parlance'),
      source: process.env,
      onProgress: (step) => print(`${step} ...`),
      launch: (environments) => running.launch(environments),
      ...(port === undefined ? {} : { port }),
    });
    const prepared = await running.prepare(platform);
    const faults = await firstLook(platform.url, platform.hasTelephones);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(banner({ ...platform, ...prepared }, { seconds, faults, dataDir }));
    print(`From sources, and replaced after each edit: ${sources.map(({ name }) => name).join(', ')}`);
    await asked;
    print('stopping ...');
    await platform.stop();
    process.exit(0);
  } catch (error) {
    console.error(`\nParlance could not start. ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
};
