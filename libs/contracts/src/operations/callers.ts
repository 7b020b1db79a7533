import { operation } from '../operation.js';
import { CallerView } from '../values/caller-view.js';
import { hidden, member } from './parts.js';

export const callerOperations = {
  callerGet: operation({
    id: 'caller.get',
    section: 'Extensions',
    service: 'gateway',
    extension: true,
    mcp: hidden('tells a program what its credential may do; over MCP each tool tells it'),
    method: 'GET',
    path: '/caller',
    auth: member,
    // Every request over MCP asks this question first. Limits count the operation that follows.
    bucket: 'none',
    summary: 'Tell who the credential of this request stands for',
    success: 200,
    data: CallerView,
    message: 'Caller',
    errors: [],
  }),
} as const;
