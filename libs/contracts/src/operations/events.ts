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
    summary: "Stream the organization's changes as server-sent events",
    description:
      'Each event carries the ID and state of something that changed, never what was said. You receive the events of ' +
      'the resources that you can read. The stream begins with `open`. To resume, send the last ID that you received as ' +
      '`Last-Event-ID` or `after`, and you get every event since. `reload` means that some of those events are no ' +
      'longer available: fetch what you display again. The stream ends when the credential or its permissions change ' +
      'and when the process shuts down; open a new one then.',
    query: z.strictObject({
      after: text(1, 200).optional().meta({
        description: 'ID of the last event received; `Last-Event-ID` takes precedence',
      }),
    }),
    success: 200,
    data: noData,
    message: 'Events of the organization',
    stream: liveStream,
    errors: [],
  }),
} as const;
