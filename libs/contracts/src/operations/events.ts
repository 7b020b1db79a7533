import { z } from 'zod';
import { noData, text } from '../values/text.js';
import { liveEventPermissions, liveStream } from './live-events.js';
import { operation } from './operation.js';
import { hidden } from './parts.js';
import type { Permission } from './permissions.js';

const [first, ...others] = [...new Set<Permission>(Object.values(liveEventPermissions))];
if (first === undefined) throw new Error('live events take permissions');

export const eventOperations = {
  eventsStream: operation({
    id: 'events.stream',
    section: 'Extensions',
    service: 'gateway',
    extension: true,
    method: 'GET',
    path: '/events/stream',
    auth: { kind: 'org', anyOf: [first, ...others] },
    mcp: hidden('a stream without an end; an MCP client asks when it wants to know'),
    bucket: 'read',
    summary: 'Be told of changes in the organization while they happen',
    description:
      'Each event names a thing that changed: its id and its state, and no spoken words. A reader gets the events of the things that it may read. ' +
      'The stream begins with `open`. A reader that comes back names the last id that it has seen, in the header `Last-Event-ID` or as `after`, and gets all events since then. ' +
      'The event `reload` stands for events that are not told any more: the reader reads everything on its screen anew. ' +
      'The stream ends when the credential or its permissions change, and when the process stops; the reader opens another one then.',
    query: z.strictObject({
      after: text(1, 200).optional().meta({
        description: 'the id of the last event that arrived; the header counts where there are both',
      }),
    }),
    success: 200,
    data: noData,
    message: 'Events of the organization',
    stream: liveStream,
    errors: [],
  }),
} as const;
