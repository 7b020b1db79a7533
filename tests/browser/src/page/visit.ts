// A visitor of a website, in a browser profile of its own. It counts the page's uses of the microphone and its requests
// to other hosts.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface VisitOptions {
  /** Absent: the visitor blocks the microphone. */
  readonly microphone?: 'granted';
  /** Hosts with their ports that the page may speak to; its own is one of them anyway. */
  readonly hosts: readonly string[];
  readonly context?: Pick<
    BrowserContextOptions,
    'viewport' | 'colorScheme' | 'reducedMotion' | 'forcedColors' | 'locale' | 'hasTouch' | 'isMobile'
  >;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses on other hosts that the page asked for, by HTTP or WebSocket. */
  strangers(): readonly string[];
  /** The number of times that the pages of this visitor have asked for a microphone. */
  microphoneQuestions(): number;
  /** Errors that no script of a page has caught. */
  errors(): readonly string[];
  leave(): Promise<void>;
}

/** For a button that does not come. */
const patienceMs = 45_000;

const countQuestions = () => {
  const { mediaDevices } = navigator;
  if (mediaDevices === undefined) return;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = (wanted) => {
    void Reflect.get(window, 'noteMicrophoneQuestion')();
    return ask(wanted);
  };
};

/** Opens the address in a new profile. */
export const visit = async (browser: Browser, url: string, options: VisitOptions): Promise<Visit> => {
  const permissions = options.microphone === undefined ? [] : ['microphone'];
  const context = await browser.newContext({ ...options.context, permissions });
  context.setDefaultTimeout(patienceMs);
  const known = new Set([new URL(url).host, ...options.hosts]);
  const strangers: string[] = [];
  const errors: string[] = [];
  let questions = 0;
  const note = (address: string): void => {
    const { protocol, host } = new URL(address);
    if (/^(http|ws)s?:$/.test(protocol) && !known.has(host)) strangers.push(address);
  };
  context.on('request', (request) => note(request.url()));
  context.on('page', (page) => page.on('websocket', (socket) => note(socket.url())));
  context.on('weberror', (error) => errors.push(error.error().message));
  await context.exposeFunction('noteMicrophoneQuestion', () => {
    questions += 1;
  });
  await context.addInitScript(countQuestions);
  const page = await context.newPage();
  await page.goto(url);
  return {
    page,
    context,
    strangers: () => strangers,
    microphoneQuestions: () => questions,
    errors: () => errors,
    leave: () => context.close(),
  };
};
