// trace: everything that is known of one request, in the order in which it happened.
import { type LogLine, requestLines } from './logs.js';
import type { Workplace } from './read-model-commands.js';
import type { StoredEvent } from './stored-event.js';
import { type TracedEvents, tracedEvents } from './trace-events.js';

export const defaultScan = 100_000;

export interface TraceOptions {
  /** Files and folders with logs; `-` is `input`. */
  readonly logs: readonly string[];
  readonly input: NodeJS.ReadableStream;
  /** The number of the newest events that are looked at. */
  readonly scan: number;
}

const longest = 160;

const cut = (line: string): string => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line);

const logLine = ({ time, service, level, message, fields }: LogLine): string => {
  const more = Object.keys(fields).length === 0 ? '' : `  ${JSON.stringify(fields)}`;
  return cut(`${time.padEnd(24)}  ${`${service} ${level}`.padEnd(22)}  ${message}${more}`);
};

const place = ({ stream, revision }: StoredEvent): string => `${stream} @${revision}`;

const eventLine = (event: StoredEvent): string =>
  `${event.recordedAt.padEnd(24)}  ${'event'.padEnd(22)}  ${event.type}  ${place(event)}  by ${event.actor}`;

const storyOf = (stream: string, events: readonly StoredEvent[], own: ReadonlySet<string>): string =>
  [
    `  ${stream}`,
    ...events.map(
      ({ id, recordedAt, type, data }) =>
        `  ${own.has(id) ? '*' : ' '} ${recordedAt}  ${type}${outcomeOf(data)}`,
    ),
  ].join('\n');

/** The few facts that tell the outcome of an attempt or a call. */
const outcomeOf = (data: Readonly<Record<string, unknown>>): string =>
  ['attempt', 'callId', 'status', 'endedReason', 'sipStatus', 'roomName']
    .flatMap((name) => {
      const value = data[name];
      return typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [];
    })
    .map((fact, index) => `${index === 0 ? '  ' : ', '}${fact}`)
    .join('');

const report = (lines: readonly LogLine[], { caused, streams }: TracedEvents): string => {
  const happened = [
    ...lines.map((line) => ({ at: line.time, text: logLine(line) })),
    ...caused.map((event) => ({ at: event.recordedAt, text: eventLine(event) })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const own = new Set(caused.map(({ id }) => id));
  const stories = [...streams].map(([stream, events]) => storyOf(stream, events, own));
  return [
    ...happened.map(({ text }) => text),
    ...(stories.length === 0 ? [] : ['', 'Its streams (* came from this request):', ...stories]),
    '',
  ].join('\n');
};

const advice = ({ lookedBackTo }: TracedEvents): string =>
  [
    'Nothing is known of this request.',
    ...(lookedBackTo === undefined
      ? []
      : [`Events were looked at back to ${lookedBackTo}; --scan <n> looks further.`]),
    'Requests that went well are logged at LOG_LEVEL=info only, and the gateway of npm start logs to its terminal:',
    'start it with LOG_LEVEL=info npm start | tee parlance.log, and give --logs parlance.log.',
    '',
  ].join('\n');

/** False when nothing is known of it. @throws UsageError for logs that are not there */
export const traceCommand = async (
  { services, variablesOf, output }: Workplace,
  requestId: string,
  { logs, input, scan }: TraceOptions,
): Promise<boolean> => {
  const [service] = services;
  if (service === undefined) throw new Error('no service keeps streams');
  const lines = await requestLines(logs, requestId, input);
  const traced = await service.withStreams(variablesOf(service), (opened) =>
    tracedEvents(opened, requestId, scan),
  );
  const isKnown = lines.length > 0 || traced.caused.length > 0;
  output.write(isKnown ? report(lines, traced) : advice(traced));
  return isKnown;
};
