import { describe, expect, it } from '@jest/globals';
import { McpCatalogEntry } from '@parlance/contracts';
import { UrlRules } from '@parlance/egress';
import { checkServerUrl } from '../connections/server-url.js';
import { curatedServers } from './curated.js';

const categories = ['developer', 'knowledge', 'payments', 'productivity', 'search'];
const rules = new UrlRules();

describe('the curated servers', () => {
  it('have different slugs, addresses that could be connected, and documentation', () => {
    const slugs = curatedServers.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const { reviewedOn, ...server } of curatedServers) {
      expect(McpCatalogEntry.safeParse({ ...server, source: 'curated', connectedId: null }).success).toBe(
        true,
      );
      expect(server.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(() => checkServerUrl(server.url, rules)).not.toThrow();
      expect(() => rules.check(server.docsUrl)).not.toThrow();
      expect(categories).toContain(server.category);
      expect(server.description).toMatch(/^.{20,200}$/);
      expect((server.auth.type === 'header') === (server.auth.headerName !== undefined)).toBe(true);
      expect(reviewedOn).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
      expect(Date.parse(reviewedOn)).toBeLessThan(Date.now() + 86_400_000);
    }
  });
});
