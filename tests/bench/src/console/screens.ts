// Screens of the console, opened by a person whose browser has never been there.
import { randomUUID } from 'node:crypto';
import { type Chromium, visit } from '@parlance/tests-browser';

export interface Person {
  readonly email: string;
  readonly password: string;
}

const ask = (url: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/api/v1/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });

export const signUp = async (url: string): Promise<Person> => {
  const person = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const response = await ask(url, '/sign-up/email', { name: 'Bench', ...person });
  if (!response.ok) throw new Error(`the sign-up answered ${response.status}`);
  return person;
};

/** Notes when the screen has its heading, in milliseconds since the page was asked for. Runs in the page. */
const noteUsable = `
const look = () => {
  if (document.querySelector('h1') === null) requestAnimationFrame(look);
  else window.usableMs = performance.now();
};
requestAnimationFrame(look);
`;

/** Runs in the page too. */
const readOpened = `({
  usableMs: window.usableMs,
  scripts: performance.getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.endsWith('.js')),
})`;

export interface Opened {
  /** Paths of the script that was loaded. */
  readonly scripts: readonly string[];
  /** The time until the heading of the screen was there. */
  readonly usableMs: number;
}

export interface Opening {
  readonly url: string;
  readonly path: string;
  /** The processor is slowed down so many times. */
  readonly slower: number;
  /** Absent: a stranger. */
  readonly person?: Person;
}

const opening = async (chromium: Chromium, { url, path, slower, person }: Opening) => {
  const visitor = await visit(chromium.browser, 'about:blank', { hosts: [new URL(url).host] });
  const { page, context } = visitor;
  if (person !== undefined) {
    const answer = await context.request.post(`${url}/api/v1/auth/sign-in/email`, {
      headers: { origin: url },
      data: person,
    });
    if (!answer.ok()) throw new Error(`the sign-in answered ${answer.status()}`);
  }
  await context.addInitScript({ content: noteUsable });
  const debug = await context.newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(`${url}${path}`);
  await page.locator('h1').first().waitFor();
  // No request of the screen is on its way any more; the stream of live events stays open.
  const waiting = page.locator('[role="status"] .animate-pulse, [aria-busy="true"]');
  await waiting.first().waitFor({ state: 'detached' });
  return visitor;
};

/** Opens a screen, which stays open. */
export const openedAs = (
  chromium: Chromium,
  at: Pick<Opening, 'url' | 'path'>,
  person: Person,
): ReturnType<typeof opening> => opening(chromium, { ...at, slower: 1, person });

/** Opens a screen in a profile that has nothing in its cache. */
export const openScreen = async (chromium: Chromium, options: Opening): Promise<Opened> => {
  const { page, leave } = await opening(chromium, options);
  try {
    return await page.evaluate<Opened>(readOpened);
  } finally {
    await leave();
  }
};

/** Every screen that the navigation leads to. */
export const screensOf = async (
  chromium: Chromium,
  url: string,
  person: Person,
): Promise<readonly string[]> => {
  const { page, leave } = await opening(chromium, { url, path: '/', slower: 1, person });
  try {
    const links = page.getByRole('navigation').getByRole('link');
    const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    return addresses.filter((address) => address !== null);
  } finally {
    await leave();
  }
};
