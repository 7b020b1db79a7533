// Servers that a person has looked at: their addresses and the way in, as their own documentation gives them.
import type { McpCatalogEntry } from '@parlance/contracts';

export interface CuratedServer extends Omit<McpCatalogEntry, 'source' | 'connectedId' | 'docsUrl'> {
  readonly docsUrl: string;
  /** The day on which a person last compared this entry with its documentation. */
  readonly reviewedOn: string;
}

export const curatedServers: readonly CuratedServer[] = [
  {
    slug: 'deepwiki',
    name: 'DeepWiki',
    description: 'Reads and asks questions about the documentation of public GitHub repositories.',
    category: 'developer',
    iconUrl: null,
    url: 'https://mcp.deepwiki.com/mcp',
    transport: 'streamable_http',
    auth: { type: 'none' },
    docsUrl: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
    reviewedOn: '2026-11-23',
  },
];

export const curatedServer = (slug: string): CuratedServer | undefined =>
  curatedServers.find((server) => server.slug === slug);
