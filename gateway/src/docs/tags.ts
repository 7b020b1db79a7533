// The areas of the API in the order of the documentation, each with a description.
import type { AnyAuthOperation, AnyOperation } from '@parlance/contracts';

type GroupOf<Id> = Id extends `${infer Group}.${string}` ? Group : never;
type Area = GroupOf<AnyAuthOperation['id'] | AnyOperation['id']>;

// Does not compile while an area has no sentence.
const areas: Readonly<Record<Area, string>> = {
  health: 'Liveness and readiness of the platform and its dependencies.',
  caller: 'The user or API key behind a request, and its permissions.',
  agents: 'Agents and their versioned configurations.',
  numbers: 'Phone numbers: search, purchase, assignment and release.',
  calls: 'Calls in progress, the call log, transcripts and timelines.',
  dashboard: 'Aggregated calls, outcomes and costs.',
  events: "An organization's changes as server-sent events.",
  outboundCalls: 'Single outbound calls, and campaigns from a spreadsheet.',
  people: 'The erasure of everything that is recorded about a person.',
  suppressions: 'The suppression list of an organization.',
  spend: 'Spending, reservations and limits.',
  storage: 'What an organization stores, and its quotas.',
  knowledge: 'Pages and files that agents answer from, and search in them.',
  tools: 'HTTP requests that an agent can make during a call.',
  models: "Models and voices at an organization's own servers, and tests of models.",
  secrets: 'Credentials for tools and webhooks: write-only.',
  mcp: 'Connections to external MCP servers and their tools.',
  widgets: 'Agents on websites, and conversations with their visitors.',
  webhooks: 'Webhook deliveries: results, redelivery and tests.',
  settings: 'Settings of an organization.',
  auth: 'Accounts, sessions, second factors, organizations, members, invitations and API keys.',
  internal: 'Operations for voice runtimes.',
};

/** The requests that the platform makes; apart from `webhooks`, so that generated classes do not share a name. */
const messages = 'Webhook requests that the platform sends to URLs configured by an organization.';

/** The section `tags` of the document. */
export const tags = Object.entries({ ...areas, webhookMessages: messages }).map(([name, description]) => ({
  name,
  description,
}));
