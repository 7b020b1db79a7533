// The rules of a robots.txt hold for this crawler, and cannot hold it up.
import { expect, it } from '@jest/globals';
import { robotsOf } from './robots.js';

const site = 'https://site.example';
const rules = (text: string) => robotsOf(`${site}/robots.txt`, text);
const refusal = expect.objectContaining({ code: 'ROBOTS_REFUSED' });

it('allows a page that no rule names, and refuses one that a rule names', () => {
  const { check, crawlDelaySeconds, sitemaps } = rules(
    `User-agent: Parlance\nDisallow: /private\nCrawl-delay: 2\nSitemap: ${site}/map.xml`,
  );
  expect(() => check(`${site}/public`)).not.toThrow();
  expect(() => check(`${site}/private/page`)).toThrow(refusal);
  expect([crawlDelaySeconds, sitemaps]).toEqual([2, [`${site}/map.xml`]]);
});

it('refuses a page when its wildcards would be compared for seconds', () => {
  const rule = `Disallow: /${'*a'.repeat(2_000)}b$`;
  const { check } = rules(`User-agent: *\n${Array(120).fill(rule).join('\n')}`);
  expect(() => check(`${site}/${'a'.repeat(2_000)}`)).toThrow(refusal);
});
