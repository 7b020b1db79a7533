// Preloaded into every Node process of a measured platform (request-counts.ts): counts the appends and reads that it sends to the event
// store, and the requests that it answers over HTTP. It depends on Node alone, so that it counts in any release of the platform.
import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { pathGroup } from './path-group.js';

const flushEveryMs = 200;
const folder = process.env.BENCH_REQUEST_COUNTS;
const streams = '/event_store.client.streams.Streams/';

// The messages of these channels are described in Node's documentation of diagnostics_channel.
interface Created {
  readonly stream: ClientHttp2Stream;
  readonly headers: OutgoingHttpHeaders;
}
interface Sent {
  readonly stream: ClientHttp2Stream;
  readonly writev: boolean;
  readonly data: unknown;
}
interface Answered {
  readonly request: IncomingMessage;
}

const counts: Record<string, Record<string, number>> = {};
let isChanged = false;

const add = (kind: string, of: string, count = 1): void => {
  const kinds = counts[kind] ?? {};
  counts[kind] = { ...kinds, [of]: (kinds[of] ?? 0) + count };
  isChanged = true;
};

/** The service of each call over which appends are sent. */
const appending = new WeakMap<ClientHttp2Stream, string>();

const countEventStore = (): void => {
  subscribe('http2.client.stream.created', (message) => {
    const { stream, headers } = message as Created;
    const service = String(headers['connection-name'] ?? 'other');
    if (headers[':path'] === `${streams}Read`) add('event-store reads', service);
    if (headers[':path'] === `${streams}BatchAppend`) appending.set(stream, service);
  });
  subscribe('http2.client.stream.bodyChunkSent', (message) => {
    const { stream, writev, data } = message as Sent;
    const service = appending.get(stream);
    // The client writes each message as one chunk, and each message of a batch is an append.
    if (service !== undefined)
      add('event-store appends', service, writev && Array.isArray(data) ? data.length : 1);
  });
};

const countHttp = (): void =>
  subscribe('http.server.request.start', (message) => {
    const { request } = message as Answered;
    add('HTTP requests', pathGroup(request.url ?? '/'));
  });

const flush = (file: string): void => {
  if (!isChanged) return;
  isChanged = false;
  // Renamed, so that a reader never finds half of it.
  writeFileSync(`${file}.part`, JSON.stringify(counts));
  renameSync(`${file}.part`, file);
};

if (folder !== undefined) {
  countEventStore();
  countHttp();
  const file = join(folder, `${process.pid}-${threadId}.json`);
  setInterval(() => flush(file), flushEveryMs).unref();
}
