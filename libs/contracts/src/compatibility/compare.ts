// Two releases beside each other: the newer sends nothing that the older refuses, and takes all that the older sends.
import { differences, type Question } from './differences.js';
import type { Schema } from './json-schema.js';
import type { KeptRow, KeptShape, RowKind, Snapshot } from './snapshot.js';

type Direction = 'input' | 'output';
type Sender = 'older' | 'newer';

/** One way that a part of a row travels. */
interface Journey {
  readonly sent: Direction;
  readonly taken: Direction;
  readonly ignoresUnknown: boolean;
  /** The releases that may be the sender, with the other one as the receiver. */
  readonly senders: readonly Sender[];
  /** The names of both ends, for readers. */
  readonly between: string;
}

const both = ['older', 'newer'] as const;

/** Programs of others send values that the schema takes; they were written for the older release. */
const ofClient: Journey = {
  ...{
    sent: 'input',
    taken: 'input',
    ignoresUnknown: false,
    senders: ['older'],
    between: 'a client and the gateway',
  },
};
/** An asker reads a request by the schema and sends the result. The service does not read it again. */
const ofAsker: Journey = {
  ...{
    sent: 'output',
    taken: 'output',
    ignoresUnknown: true,
    senders: both,
    between: 'an asker and the service',
  },
};
/** A handler returns a value that the schema would take, and an asker or a client gets it unchanged. */
const ofHandler: Journey = {
  ...{
    sent: 'input',
    taken: 'output',
    ignoresUnknown: true,
    senders: both,
    between: 'a service and the asker',
  },
};
/** A consumer reads each event by the schema. */
const ofProducer: Journey = {
  ...{
    sent: 'output',
    taken: 'input',
    ignoresUnknown: false,
    senders: both,
    between: 'a producer and a consumer',
  },
};
const toReceiver: Journey = {
  ...ofHandler,
  senders: ['newer'],
  between: 'the platform and a receiver of webhooks',
};
const ofDoor: Journey = {
  ...{
    sent: 'output',
    taken: 'output',
    ignoresUnknown: true,
    senders: ['newer'],
    between: 'the gateway and a client',
  },
};

const isAnswer = (part: string): boolean => part === 'data' || part.startsWith('stream ');

const journeysOf = (kind: RowKind, part: string): readonly Journey[] => {
  if (kind === 'operation') return isAnswer(part) ? [ofHandler] : [ofClient, ofAsker];
  if (kind === 'request') return isAnswer(part) ? [ofHandler] : [ofAsker];
  if (kind === 'event') return [ofProducer];
  if (kind === 'webhook') return [toReceiver];
  return isAnswer(part) ? [ofDoor] : [ofClient];
};

/**
 * The schema in the place of a part that a release does not have. It is an object without fields in a request, and
 * anything in an answer.
 */
const absent = (part: string): KeptShape => ({
  input: isAnswer(part) ? {} : { type: 'object', properties: {}, additionalProperties: false },
});

const schemaOf = ({ input, output = input }: KeptShape, io: Direction): Schema =>
  io === 'input' ? input : output;

interface End {
  readonly snapshot: Snapshot;
  readonly shape: KeptShape;
}

const questionOf = (from: End, to: End, { sent, taken, ignoresUnknown }: Journey): Question => ({
  sent: { schema: schemaOf(from.shape, sent), definitions: from.snapshot.definitions[sent] },
  taken: { schema: schemaOf(to.shape, taken), definitions: to.snapshot.definitions[taken] },
  ignoresUnknown,
});

/** The differences that the change brings: a difference within one release, between its two ends, is left out. */
const newDifferences = (from: End, to: End, journey: Journey): readonly string[] => {
  const known = new Set([
    ...differences(questionOf(from, from, journey)),
    ...differences(questionOf(to, to, journey)),
  ]);
  return differences(questionOf(from, to, journey)).filter((difference) => !known.has(difference));
};

const ofShapes = (
  older: Snapshot,
  newer: Snapshot,
  [was, is]: readonly [KeptRow, KeptRow],
): readonly string[] => {
  const parts = [...new Set([...Object.keys(was.shapes), ...Object.keys(is.shapes)])];
  return parts.flatMap((part) => {
    if (part.startsWith('stream ') && is.shapes[part] === undefined) return [`${part} is sent no more`];
    if (part.startsWith('stream ') && was.shapes[part] === undefined) return [];
    const ends: Readonly<Record<Sender, End>> = {
      older: { snapshot: older, shape: was.shapes[part] ?? absent(part) },
      newer: { snapshot: newer, shape: is.shapes[part] ?? absent(part) },
    };
    return journeysOf(was.kind, part).flatMap((journey) =>
      journey.senders.flatMap((sender) => {
        const [from, to] = sender === 'older' ? [ends.older, ends.newer] : [ends.newer, ends.older];
        const way = `${sender} release sends, between ${journey.between}`;
        return newDifferences(from, to, journey).map((difference) => `${part}${difference} (the ${way})`);
      }),
    );
  });
};

const ofFacts = (was: KeptRow, is: KeptRow): readonly string[] =>
  Object.entries(was.facts)
    .filter(([name, value]) => is.facts[name] !== value)
    .map(([name, value]) => `${name} was ${value}, and is ${is.facts[name] ?? 'gone'}`);

const membersBeyond = (
  from: Readonly<Record<string, readonly string[]>>,
  to: Readonly<Record<string, readonly string[]>>,
): readonly string[] =>
  Object.entries(from).flatMap(([name, members]) =>
    members.filter((member) => !(to[name] ?? []).includes(member)).map((member) => `${name}: ${member}`),
  );

const ofRow = (
  older: Snapshot,
  newer: Snapshot,
  [was, is]: readonly [KeptRow, KeptRow],
): readonly string[] => [
  ...ofFacts(was, is),
  ...membersBeyond(was.grows, is.grows).map((member) => `${member} is gone`),
  ...membersBeyond(is.shrinks, was.shrinks).map((member) => `${member} is needed besides`),
  ...ofShapes(older, newer, [was, is]),
];

/** Every way in which the two cannot work side by side, each as `<row>: <difference>`. */
export const breaksBetween = (older: Snapshot, newer: Snapshot): readonly string[] => [
  ...Object.entries(older.rows).flatMap(([name, was]) => {
    const is = newer.rows[name];
    const found = is === undefined ? ['is gone'] : ofRow(older, newer, [was, is]);
    return found.map((what) => `${name}: ${what}`);
  }),
  ...Object.entries(newer.rows)
    .filter(([name, { kind }]) => kind === 'request' && older.rows[name] === undefined)
    .map(([name]) => `${name}: the older release does not answer it`),
];

/** A break without harm, and the reason. */
export interface Harmless {
  /** The older of the two releases. */
  readonly since: string;
  readonly break: string;
  readonly why: string;
}

/** The breaks that harm an operator, and the entries of the list that fit no break. */
export const judge = (older: Snapshot, newer: Snapshot, harmless: readonly Harmless[]): readonly string[] => {
  const breaks = breaksBetween(older, newer);
  const listed = harmless.filter(({ since }) => since === older.release).map((entry) => entry.break);
  return [
    ...breaks.filter((found) => !listed.includes(found)),
    ...listed
      .filter((entry) => !breaks.includes(entry))
      .map((entry) => `listed as harmless, and not there: ${entry}`),
  ];
};
