// The platform, its console in a browser, and people who work there, for every suite of the console.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { generous, runPlatform, type SharedPlatform, sharedPlatform } from '@parlance/tests-e2e';
import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityFaults } from '../page/accessibility.js';
import { type Chromium, hasChromium, startChromium } from '../page/chromium.js';
import { keepScreenshot } from '../page/screenshots.js';
import { type Visit, type VisitOptions, visit } from '../page/visit.js';

export const desk = { viewport: { width: 1_280, height: 800 } } as const;
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
export const narrowest = 360;
export const setupCode = 'a-code-of-the-first-start';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Sends the session of a program, for preparing records. */
  readonly cookie: string;
}

export interface ConsoleVisit extends Visit {
  /** What the page's policy has stopped so far. */
  policyReports(): Promise<readonly string[]>;
}

/** Runs in the page before its own scripts. */
const noteViolations = () => {
  const found: string[] = [];
  Reflect.set(window, 'policyReports', found);
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    found.push(`${violatedDirective} ${blockedURI} ${sourceFile}`);
  });
};

/** The parts of a platform that a page needs. */
type Platform = Omit<SharedPlatform, 'release'>;

export class ConsoleWorld {
  readonly chromium: Chromium;
  readonly platform: Platform;
  readonly #release: () => Promise<void>;

  private constructor(platform: Platform, chromium: Chromium, release: () => Promise<void>) {
    this.platform = platform;
    this.chromium = chromium;
    this.#release = release;
  }

  /** On the platform that all files of the console share. */
  static async start(): Promise<ConsoleWorld> {
    const [platform, chromium] = await Promise.all([sharedPlatform('console'), startChromium()]);
    return new ConsoleWorld(platform, chromium, () => platform.release());
  }

  /** On an installation that nobody has set up yet. */
  static async startEmpty(): Promise<ConsoleWorld> {
    const [platform, chromium] = await Promise.all([
      runPlatform({ ...generous, SETUP_CODE: setupCode }, ['--empty']),
      startChromium(),
    ]);
    return new ConsoleWorld(platform, chromium, () => platform.remove());
  }

  async stop(): Promise<void> {
    await this.chromium.stop();
    await this.#release();
  }

  /** The newest mail to an address, as the stand-in for a mail server keeps it: its text. */
  mailTo(email: string): Promise<string> {
    const folder = join(this.platform.dataDir, 'mail');
    return eventually(async () => {
      const names = readdirSync(folder).filter((name) => name.endsWith(`-${email}.eml`));
      const newest = names.sort().at(-1);
      if (newest === undefined) throw new Error(`no mail to ${email}`);
      // Long lines are broken with "=" at their end, and "=" itself is written as "=3D".
      return readFileSync(join(folder, newest), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
    });
  }

  /** The link to this page of the console in the newest mail to an address. */
  async linkTo(email: string, path: string): Promise<string> {
    const link = new RegExp(`https?://[^\\s"<>]+${path}#[^\\s"<>]+`).exec(await this.mailTo(email))?.[0];
    if (link === undefined) throw new Error(`no link to ${path} in the mail to ${email}`);
    return link;
  }

  /** Signs somebody up, who gets an organization. */
  async person(name = 'Ada'): Promise<Person> {
    const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
    const response = await eventually(async () => {
      const answer = await this.#post('/auth/sign-up/email', { name, email, password });
      expect(answer.status).toBe(200);
      return answer;
    });
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { name, email, password, cookie };
  }

  /** Asks the interface as this person, for what a test needs beforehand; the answer's data. */
  async ask<Data>(person: Person, path: string, body?: object): Promise<Data> {
    const response = await (body === undefined
      ? fetch(`${this.platform.api}${path}`, { headers: { cookie: person.cookie } })
      : this.#post(path, body, person.cookie));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data; // as the contract declares it
  }

  /**
   * Buys a number from an area in which no page looks for one, and resolves with it. Another organization may buy the offered one
   * first, and then there is another offer.
   */
  buyNumber(person: Person): Promise<string> {
    return eventually(async () => {
      const query = 'provider=TWILIO&country=US&areaCode=602&limit=1';
      const [offer] = await this.ask<readonly { phoneNumber: string; quoteId: string }[]>(
        person,
        `/numbers/search?${query}`,
      );
      if (offer === undefined) throw new Error('no number is for sale');
      const { phoneNumber, quoteId } = offer;
      await this.ask(person, '/numbers', { provider: 'TWILIO', phoneNumber, quoteId });
      return phoneNumber;
    });
  }

  /** Deletes a record as this person. */
  async remove({ cookie }: Person, path: string): Promise<void> {
    const headers = { cookie, origin: this.platform.url };
    const response = await fetch(`${this.platform.api}${path}`, { method: 'DELETE', headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  /** The answer of a row under /auth, which has no envelope. */
  async askAuth<Data>(person: Person, path: string, body?: object): Promise<Data> {
    const response = await (body === undefined
      ? fetch(`${this.platform.api}/auth${path}`, { headers: { cookie: person.cookie } })
      : this.#post(`/auth${path}`, body, person.cookie));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Data; // as the contract declares it
  }

  /** Opens an address of the console in a new profile. */
  async open(
    path: string,
    context: VisitOptions['context'] = desk,
    cookies: readonly Cookie[] = [],
  ): Promise<ConsoleVisit> {
    const visitor = await visit(this.chromium.browser, 'about:blank', {
      hosts: [new URL(this.platform.url).host],
      // A color that is still on its way to another says nothing of the page.
      context: { reducedMotion: 'reduce', ...context },
    });
    await visitor.context.addInitScript(noteViolations);
    await visitor.context.addCookies(cookies);
    await visitor.page.goto(`${this.platform.url}${path}`);
    const policyReports = (): Promise<readonly string[]> =>
      visitor.page.evaluate(() => Reflect.get(window, 'policyReports') as readonly string[]); // made by the script above
    return { ...visitor, policyReports };
  }

  /** Opens an address in a new profile that has the person's session already. */
  openAs(person: Person, path: string, context?: VisitOptions['context']): Promise<ConsoleVisit> {
    return this.open(path, context, cookiesOf(person, this.platform.url));
  }

  #post(path: string, body: object, cookie?: string): Promise<Response> {
    return fetch(`${this.platform.api}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: this.platform.url,
        ...(cookie === undefined ? {} : { cookie }),
      },
      body: JSON.stringify(body),
    });
  }
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

/** The session of a person, for a browser. */
const cookiesOf = ({ cookie }: Person, url: string): readonly Cookie[] =>
  cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' };
  });

/** Fills the form of the sign-in, wherever it stands. */
export const signIn = async (
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/**
 * Holds the screen to the rules of axe, and to the width of the window; keeps a picture.
 * @param name of the picture, within the folder of the console
 */
export const expectWellMade = async (page: Page, name: string): Promise<void> => {
  expect(await accessibilityFaults(page, 'body')).toEqual([]);
  const { width } = page.viewportSize() ?? { width: Number.POSITIVE_INFINITY };
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  await keepScreenshot(page, `console/${name}`);
};

/**
 * Nothing was asked of strangers, nothing was stopped by the policy, and no script has failed.
 * @param stored part of the path of files that the page may send to the object storage, or play from there
 */
export const expectQuiet = async (
  visitor: ConsoleVisit,
  stored?: '/batches/' | '/recordings/',
): Promise<void> => {
  const strangers = visitor
    .strangers()
    .filter((address) => stored === undefined || !new URL(address).pathname.includes(stored));
  expect([strangers, await visitor.policyReports(), visitor.errors()]).toEqual([[], [], []]);
};

/** Where no Chromium is installed, the tests of the console are skipped. */
export const describeConsole = (name: string, tests: () => void): void =>
  (hasChromium() ? describe : describe.skip)(name, tests);

/** Opens the console for the tests of this file. */
export const inTheConsole = (
  start: () => Promise<ConsoleWorld> = () => ConsoleWorld.start(),
): (() => ConsoleWorld) => {
  let world: ConsoleWorld | undefined;
  if (hasChromium()) {
    beforeAll(async () => {
      world = await start();
    }, 240_000);
    afterAll(() => world?.stop());
  }
  return () => {
    if (world === undefined) throw new Error('the console is open in tests only');
    return world;
  };
};
