// Servers that a person has looked at: their addresses and the way in, as their own documentation gives them.
import type { McpCatalogEntry } from '@parlance/contracts';

export interface CuratedServer extends Omit<McpCatalogEntry, 'source' | 'connectedId' | 'docsUrl'> {
  readonly docsUrl: string;
  /** The day on which a person last compared this entry with documentation. */
  readonly reviewedOn: string;
}

type Entry = Pick<CuratedServer, 'slug' | 'name' | 'description' | 'category' | 'url' | 'auth' | 'docsUrl'>;

/** All of them speak the newer transport, and none gives an icon of its own at a lasting address. */
const entry = (given: Entry, reviewedOn: string): CuratedServer => ({
  ...given,
  iconUrl: null,
  transport: 'streamable_http',
  reviewedOn,
});

export const curatedServers: readonly CuratedServer[] = [
  entry(
    {
      slug: 'atlassian',
      name: 'Atlassian',
      description: 'Searches, reads and writes issues of Jira and pages of Confluence.',
      category: 'productivity',
      url: 'https://mcp.atlassian.com/v1/mcp/authv2',
      auth: { type: 'oauth2' },
      docsUrl: 'https://support.atlassian.com/atlassian-rovo-mcp-server/',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'deepwiki',
      name: 'DeepWiki',
      description: 'Answers questions about the documentation of public GitHub repositories.',
      category: 'knowledge',
      url: 'https://mcp.deepwiki.com/mcp',
      auth: { type: 'none' },
      docsUrl: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'github',
      name: 'GitHub',
      description: 'Reads and writes repositories, issues and pull requests, with a personal access token.',
      category: 'developer',
      url: 'https://api.githubcopilot.com/mcp/',
      auth: { type: 'bearer' },
      docsUrl: 'https://github.com/github/github-mcp-server',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'linear',
      name: 'Linear',
      description: 'Finds, creates and updates issues, projects and comments.',
      category: 'productivity',
      url: 'https://mcp.linear.app/mcp',
      auth: { type: 'oauth2' },
      docsUrl: 'https://linear.app/docs/mcp',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'notion',
      name: 'Notion',
      description: 'Searches, reads and writes pages and databases of a workspace.',
      category: 'productivity',
      url: 'https://mcp.notion.com/mcp',
      auth: { type: 'oauth2' },
      docsUrl: 'https://developers.notion.com/docs/mcp',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'sentry',
      name: 'Sentry',
      description: 'Reads errors, issues and projects of an organization.',
      category: 'developer',
      url: 'https://mcp.sentry.dev/mcp',
      auth: { type: 'oauth2' },
      docsUrl: 'https://docs.sentry.io/product/sentry-mcp/',
    },
    '2026-11-23',
  ),
  entry(
    {
      slug: 'stripe',
      name: 'Stripe',
      description: 'Reads and changes customers, invoices, payments and subscriptions.',
      category: 'payments',
      url: 'https://mcp.stripe.com/',
      auth: { type: 'oauth2' },
      docsUrl: 'https://docs.stripe.com/mcp',
    },
    '2026-11-23',
  ),
];

export const curatedServer = (slug: string): CuratedServer | undefined =>
  curatedServers.find((server) => server.slug === slug);
