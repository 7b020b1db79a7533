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
    summary: 'Get the caller behind this credential',
    description:
      'Returns the owner of the credential, its organization, role and permissions. Useful to verify a key.',
    success: 200,
    data: CallerView,
    message: 'Caller',
    errors: [],
  }),
} as const;
