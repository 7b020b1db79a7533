import { CallerView } from '../values/caller-view.js';
import { operation } from './operation.js';
import { hidden, member } from './parts.js';

export const callerOperations = {
  callerGet: operation({
    id: 'caller.get',
    section: 'Extensions',
    service: 'gateway',
    extension: true,
    mcp: hidden('tells a program the permissions of its credential; over MCP each tool tells them'),
    method: 'GET',
    path: '/caller',
    auth: member,
    // Every request over MCP asks this question first. Limits count the operation that follows.
    bucket: 'none',
    summary: 'Read the caller behind the credential of this request',
    description:
      'Who the credential belongs to, its organization, role and permissions. Useful to check a key.',
    success: 200,
    data: CallerView,
    message: 'Caller',
    errors: [],
  }),
} as const;
