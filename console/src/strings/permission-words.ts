/** Permissions in the words of people; a name that the console does not know is shown as it is. */
const resourceWords: Readonly<Record<string, string>> = {
  agent: 'Agents',
  agentConfiguration: 'Configurations of agents',
  phoneNumber: 'Numbers',
  billing: 'Purchases',
  callLogs: 'Calls and transcripts',
  outboundCalls: 'Outbound calls and campaigns',
  knowledgeSource: 'Knowledge',
  tools: 'Tools and MCP servers',
  secrets: 'Secrets',
  agentWidget: 'Widgets',
  settings: 'Settings',
};

const actionWords: Readonly<Record<string, string>> = {
  create: 'create',
  read: 'look at',
  update: 'change',
  delete: 'delete',
  manage: 'pay for',
  run: 'run',
  try: 'try',
  use: 'decide where they are sent',
};

export const resourceName = (resource: string): string => resourceWords[resource] ?? resource;
export const actionName = (action: string): string => actionWords[action] ?? action;
