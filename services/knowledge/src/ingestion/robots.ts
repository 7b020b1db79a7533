// The rules of a robots.txt (RFC 9309), judged within a limit of time. A file of wildcards could hold up the whole process.
import { createContext, Script } from 'node:vm';
import robots from 'robots-parser';
import { Refused } from './job-failures.js';

/** The name of this crawler in robots.txt. */
const robotName = 'Parlance';
/** A judgement among 500 kB of plain rules takes a few milliseconds. */
const longestJudgementMs = 500;

/** The module itself is the function, but its types do not say so. */
const robotsParser = robots as unknown as typeof robots.default;

export interface Robots {
  /** @throws Refused with `ROBOTS_REFUSED` when the page is not allowed, or the rules cannot be judged in time */
  readonly check: (url: string) => void;
  /** The pause between two requests that the site asks for. */
  readonly crawlDelaySeconds: number;
  readonly sitemaps: readonly string[];
}

const refused = (message: string): Refused => new Refused('ROBOTS_REFUSED', message);

const judgement = new Script('judge()');

/** The error comes from another realm, so that it is no `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Only a script can be ended from outside, so the judgement is called by one. @throws Refused when time is up */
const withinLimit = (judge: () => boolean): boolean => {
  try {
    return judgement.runInContext(createContext({ judge }), { timeout: longestJudgementMs });
  } catch (error) {
    if (isTimeout(error)) throw refused('The robots.txt of the site is too complicated to obey.');
    throw error;
  }
};

/** A site without robots.txt allows every page. */
export const openHouse: Robots = { check: () => undefined, crawlDelaySeconds: 0, sitemaps: [] };

export const robotsOf = (address: string, text: string): Robots => {
  const rules = robotsParser(address, text);
  return {
    check: (url) => {
      if (withinLimit(() => rules.isAllowed(url, robotName) !== false)) return;
      throw refused('The robots.txt of the site does not allow this page.');
    },
    crawlDelaySeconds: rules.getCrawlDelay(robotName) ?? 0,
    sitemaps: rules.getSitemaps(),
  };
};
