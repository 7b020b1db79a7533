// Permissions, and those of each role. The gateway enforces them; keys carry a subset of their maker's.

const statements = {
  agent: ['create', 'read', 'update', 'delete', 'try'],
  agentConfiguration: ['create', 'read', 'update'],
  phoneNumber: ['create', 'read', 'update', 'delete'],
  billing: ['manage'],
  callLogs: ['read', 'delete'],
  outboundCalls: ['create', 'read', 'delete'],
  people: ['delete'],
  knowledgeSource: ['create', 'read', 'update', 'delete'],
  tools: ['create', 'read', 'update', 'delete', 'run'],
  secrets: ['create', 'read', 'delete', 'use'],
  agentWidget: ['create', 'read', 'update', 'delete'],
  settings: ['read', 'update'],
} as const;

type Statements = typeof statements;

/** Resource to actions, as access-control libraries want it. */
export const permissionStatements: Statements = statements;

/** `resource:action`. */
export type Permission = { [R in keyof Statements]: `${R}:${Statements[R][number]}` }[keyof Statements];

export const allPermissions: readonly Permission[] = Object.entries(statements).flatMap(
  ([resource, actions]) => actions.map((action) => `${resource}:${action}` as Permission),
);

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** True for a permission that lets its holder look, and nothing else. */
export const isReading = (permission: string): boolean => permission.endsWith(':read');

const reads = allPermissions.filter(isReading);
const memberResources = [
  'agent',
  'agentConfiguration',
  'knowledgeSource',
  'tools',
  'agentWidget',
  'outboundCalls',
];
const memberActions = new Set(['create', 'update', 'run', 'try']);
const memberWrites = allPermissions.filter((permission) => {
  const [resource = '', action = ''] = permission.split(':');
  return memberResources.includes(resource) && memberActions.has(action);
});

/**
 * Owner and admin: everything. Member: every read, create and update of daily work, running tools, trying agents, and cancelling
 * outbound calls and campaigns. Viewer: reads.
 */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: allPermissions,
  admin: allPermissions,
  member: [...reads, ...memberWrites, 'outboundCalls:delete'],
  viewer: reads,
};

export const isPermission = (value: string): value is Permission =>
  (allPermissions as readonly string[]).includes(value);
