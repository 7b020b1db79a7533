// The areas of the interface, in the order of the documentation: each with a sentence for readers and for generators.
import type { AnyAuthOperation, AnyOperation } from '@parlance/contracts';

type GroupOf<Id> = Id extends `${infer Group}.${string}` ? Group : never;
type Area = GroupOf<AnyAuthOperation['id'] | AnyOperation['id']>;

// Does not compile while an area has no sentence.
const areas: Readonly<Record<Area, string>> = {
  health: 'Whether the platform runs, and whether each part of it is ready.',
  caller: 'Who asks: the person or the API key of this request, and what they may do.',
  agents: 'Agents, their configurations, and the versions of these.',
  numbers: 'Telephone numbers: search, purchase, assignment to agents, and return.',
  calls: 'Calls in progress, the log of calls that are over, and their transcripts.',
  dashboard: 'Counts and sums of a period.',
  events: 'A stream of what changes in an organization, as server-sent events.',
  outboundCalls: 'Single outbound calls, and campaigns that call everybody in a spreadsheet.',
  suppressions: 'Numbers that an organization never calls.',
  spend: 'What calls have cost, what they may cost, and the limits of both.',
  knowledge: 'Pages and files that agents answer from, and the search in them.',
  tools: 'HTTP requests that an agent may make in a call.',
  secrets: 'Credentials that tools use: written and replaced, never read.',
  mcp: 'Connections to MCP servers of others, and the tools that agents use there.',
  widgets: 'Doors of agents on websites, and the conversations of their visitors.',
  webhooks: 'Deliveries of webhooks: what was sent where, with what result, and sending it again.',
  settings: 'Settings of an organization.',
  auth: 'Accounts, sessions, second factors, organizations, members, invitations and API keys.',
  internal: 'What a voice runtime asks the platform.',
};

/** The requests that the platform makes; apart from `webhooks`, so that generated classes do not share a name. */
const messages =
  'The webhooks themselves: requests of the platform to addresses that an organization configures.';

/** The section `tags` of the document. */
export const tags = Object.entries({ ...areas, webhookMessages: messages }).map(([name, description]) => ({
  name,
  description,
}));
