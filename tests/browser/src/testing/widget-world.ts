// The platform with an agent and its widgets, a website, and a browser, for every suite of the widget. Voice is there where
// livekit-server and the voice runtime are installed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { onPath } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { DataFolder, missingForBrowserVoice } from '@parlance/start';
import { type Account, Accounts, type SharedPlatform, sharedPlatform } from '@parlance/tests-e2e';
import { type Chromium, hasChromium, startChromium } from '../page/chromium.js';
import { writeVoice } from '../page/microphone.js';
import { type Site, startSite } from '../page/site.js';
import { type Visit, type VisitOptions, visit } from '../page/visit.js';
import { signIn } from './console-world.js';
import { eventsScript } from './events.js';
import { type PlayedCall, playTurns } from './played-runtime.js';

/** The sentence that every microphone of these suites hears, and that the stand-in for speech recognizes in every voice. */
export const spokenWords = 'Hello, this is a test.';

export interface PageOptions {
  /** Attributes of the element, in place of its id alone; several make several elements. */
  readonly tags: readonly Readonly<Record<string, string>>[];
  readonly microphone?: VisitOptions['microphone'];
  readonly context?: VisitOptions['context'];
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
}

export interface Call {
  readonly id: string;
  readonly channel: string;
  readonly status: string;
  readonly endedReason: string | null;
}

export interface LiveCall {
  readonly roomName: string;
}

export interface Turn {
  readonly role: string;
  readonly text: string;
}

const missing =
  missingForBrowserVoice() ?? (onPath('espeak-ng') === undefined ? 'espeak-ng is not installed.' : undefined);
const hasVoice = missing === undefined;
if (!hasVoice) process.stderr.write(`${missing} No visitor talks in the browser.\n`);

const consent = { required: true, version: '1', text: 'We keep what is said for a month.' };

export class WidgetWorld {
  readonly site: Site;
  readonly chromium: Chromium;
  readonly hasVoice: boolean;
  readonly agentName: string;
  readonly #platform: SharedPlatform;
  readonly #account: Account;
  readonly #agentId: string;
  readonly #folder: string;
  #pages = 0;

  private constructor(parts: {
    readonly site: Site;
    readonly chromium: Chromium;
    readonly hasVoice: boolean;
    readonly platform: SharedPlatform;
    readonly account: Account;
    readonly agent: { readonly id: string; readonly name: string };
    readonly folder: string;
  }) {
    this.site = parts.site;
    this.chromium = parts.chromium;
    this.hasVoice = parts.hasVoice;
    this.agentName = parts.agent.name;
    this.#platform = parts.platform;
    this.#account = parts.account;
    this.#agentId = parts.agent.id;
    this.#folder = parts.folder;
  }

  static async start(): Promise<WidgetWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'parlance-widgets-'));
    const microphone = join(folder, 'voice.wav');
    if (hasVoice) writeVoice(microphone, spokenWords, { beforeMs: 2_000, afterMs: 4_000 });
    const [platform, chromium, site] = await Promise.all([
      sharedPlatform('widget'),
      startChromium(hasVoice ? { microphone } : {}),
      startSite(),
    ]);
    site.script('/events.js', eventsScript);
    const account = await new Accounts(platform).create('shop');
    const agent = await WidgetWorld.#post<{ id: string; name: string }>(platform, account, '/agents', {
      // A name with the characters of markup is shown as it is.
      ...{ name: 'Ada & "Co" <b>', isActive: true, templateId: 'business' },
    });
    return new WidgetWorld({ site, chromium, hasVoice, platform, account, agent, folder });
  }

  async stop(): Promise<void> {
    await this.chromium.stop();
    await this.site.stop();
    await this.#platform.release();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get url(): string {
    return this.#platform.url;
  }

  /** Makes a widget that the site may show; its id. */
  async widget(body: object = {}): Promise<string> {
    const { id } = await WidgetWorld.#post<{ id: string }>(
      this.#platform,
      this.#account,
      `/agents/${this.#agentId}/widgets`,
      {
        ...{ name: 'Shop', allowedOrigins: [this.site.origin], consent },
        modes: this.hasVoice ? ['voice', 'text'] : ['text'],
        limits: { maxConcurrentSessions: 100, sessionsPerIpPerHour: 10_000 },
        ...body,
      },
    );
    return id;
  }

  /** Opens a page of the site with these elements, under a policy that lets it reach the platform and nobody else. */
  async open(options: PageOptions): Promise<Visit> {
    const { tags, microphone, context, language, direction } = options;
    this.#pages += 1;
    const elements = tags.map(
      (attributes) =>
        `<voice-agent-widget ${Object.entries(attributes)
          .map(([name, value]) => `${name}="${value.replaceAll('"', '&quot;')}"`)
          .join(' ')}></voice-agent-widget>`,
    );
    const media = this.#mediaServers();
    const url = this.site.show(`/page-${this.#pages}`, {
      head: `<script src="/events.js"></script><script async src="${this.url}/widget.js"></script>`,
      body: `<main><h1>A shop</h1><p>Things to buy.</p></main>${elements.join('')}`,
      policy: {
        'script-src': `'self' ${this.url}`,
        'connect-src': [this.url, ...media].join(' '),
      },
      ...(language === undefined ? {} : { language }),
      ...(direction === undefined ? {} : { direction }),
    });
    return visit(this.chromium.browser, url, {
      hosts: [this.url, ...media].map((address) => new URL(address).host),
      ...(microphone && { microphone }),
      ...(context && { context }),
    });
  }

  /** Opens the platform's own page. A policy that it carries is told on the console of the browser. */
  async openDemo(): Promise<{ readonly visitor: Visit; readonly stopped: () => readonly string[] }> {
    const hosts = [this.url, ...this.#mediaServers()].map((address) => new URL(address).host);
    const visitor = await visit(this.chromium.browser, 'about:blank', { hosts, microphone: 'granted' });
    const told: string[] = [];
    visitor.page.on('console', (message) => told.push(message.text()));
    await visitor.page.goto(`${this.url}/widget-demo`);
    return { visitor, stopped: () => told.filter((text) => text.includes('Content Security Policy')) };
  }

  /** Opens the page of the console that tries the agent, as its owner. */
  async openTry(): Promise<Visit> {
    const hosts = [this.url, ...this.#mediaServers()].map((address) => new URL(address).host);
    const address = `${this.url}/agents/${this.#agentId}?tab=try`;
    const visitor = await visit(this.chromium.browser, address, { hosts, microphone: 'granted' });
    await signIn(visitor.page, this.#account);
    return visitor;
  }

  /** Reports turns of a trial of the agent, beside its own runtime. */
  playTurns(callId: string): Promise<PlayedCall> {
    const { api, dataDir } = this.#platform;
    return playTurns({ api, dataDir, agentId: this.#agentId, callId, from: 1_000 });
  }

  /** The calls of a widget, the newest first. */
  async calls(widgetId: string): Promise<readonly Call[]> {
    const all = await this.#get<readonly (Call & { widgetId: string | null })[]>('/calls?limit=100');
    return all.filter((call) => call.widgetId === widgetId);
  }

  /** The calls that are live in the room of a session. */
  async live(sessionId: string): Promise<readonly LiveCall[]> {
    const all = await this.#get<readonly LiveCall[]>('/calls/live');
    return all.filter(({ roomName }) => roomName === `wg_${sessionId}`);
  }

  /** As an operator does. */
  async endLive(roomName: string): Promise<void> {
    await WidgetWorld.#post(this.#platform, this.#account, '/calls/live/end', { roomName });
  }

  /** The transcript of a widget's only call, once it is in the log. */
  transcript(widgetId: string): Promise<readonly Turn[]> {
    return eventually(async () => {
      const [call, ...more] = await this.calls(widgetId);
      if (call === undefined || more.length > 0) throw new Error(`${more.length + 1} calls are in the log`);
      const turns = await this.#get<readonly Turn[]>(`/calls/${call.id}/transcripts`);
      if (turns.length === 0) throw new Error('the transcript is empty');
      return turns;
    });
  }

  /** The media server as the page reaches it. */
  #mediaServers(): string[] {
    const { ports } = new DataFolder(this.#platform.dataDir).state();
    return this.hasVoice ? ['ws', 'http'].map((scheme) => `${scheme}://127.0.0.1:${ports.livekit}`) : [];
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.#platform.api}${path}`, { headers: this.#account.headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data; // as the contract declares it
  }

  static async #post<T>(
    { api }: SharedPlatform,
    { headers }: Account,
    path: string,
    body: object,
  ): Promise<T> {
    const response = await fetch(`${api}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data; // as the contract declares it
  }
}

const describeIf = (isPossible: boolean) => (isPossible ? describe : describe.skip);

/** Where no Chromium is installed, the tests of the widget are skipped. */
export const describeWidget = (name: string, tests: () => void): void =>
  describeIf(hasChromium())(name, tests);

/** Those of voice are skipped where livekit-server, the voice runtime or espeak-ng is not installed, either. */
export const describeVoice = (name: string, tests: () => void): void =>
  describeIf(hasVoice && hasChromium())(name, tests);

/** Opens a website with widgets for the tests of this file. */
export const onWebsites = (): (() => WidgetWorld) => {
  let world: WidgetWorld | undefined;
  if (hasChromium()) {
    beforeAll(async () => {
      world = await WidgetWorld.start();
    }, 240_000);
    afterAll(() => world?.stop());
  }
  return () => {
    if (world === undefined) throw new Error('the website is there in tests only');
    return world;
  };
};
