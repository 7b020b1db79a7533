// The shape of one row of the contract. Routes, subjects, handler types, docs, MCP, client and generated tests
// are folds over these rows. So each need of any of them is a required field here.
import type { ErrorCode } from '@parlance/errors';
import type { z } from 'zod';
import type { ServiceName } from '../values/service-name.js';
import { releasedServices } from '../values/services.js';
import type { Permission } from './permissions.js';

const released: ReadonlySet<ServiceName> = new Set(releasedServices);

/** True when this release contains the service of the row. */
export const isReleased = ({ service }: { readonly service: ServiceName }): boolean => released.has(service);

/** The callers that may use an operation. */
export type Auth =
  /** Session cookie or API key, with at least one of these permissions in the active organization. */
  | { readonly kind: 'org'; readonly anyOf: readonly [Permission, ...Permission[]] }
  /** Session cookie or API key with an active organization; it needs no permission. */
  | { readonly kind: 'member' }
  /** Session of an owner or admin, with all of these permissions; API keys never. */
  | { readonly kind: 'orgAdmin'; readonly allOf: readonly [Permission, ...Permission[]] }
  /** The internal key, in x-internal-key. */
  | { readonly kind: 'internal' }
  /**
   * The token of one call, as a bearer token: the voice runtime that holds this call. The path names the call. Some need
   * the internal key, too.
   */
  | { readonly kind: 'call'; readonly withInternalKey?: true }
  /** Visitors of a website: no credentials, held by the origin of their page and by tokens of the operation itself. */
  | { readonly kind: 'public' }
  /** No credential: health and readiness. */
  | { readonly kind: 'none' };

export type Safety = 'external-cost' | 'destructive' | 'write' | 'read';

/** The form of an operation over MCP; hiding one needs a reason. */
export type Mcp =
  | { readonly as: 'resource'; readonly name: string }
  | { readonly as: 'tool'; readonly name: string; readonly safety: Safety }
  | { readonly as: 'none'; readonly why: string };

/** Rate bucket, counted per organization and key (per address for a request without credentials). */
export type Bucket =
  | 'read'
  | 'write'
  | 'cost'
  | 'purchase'
  | 'upload'
  | 'publicConfig'
  | 'publicSession'
  | 'publicQueue'
  | 'publicMessage'
  | 'internal'
  | 'none';

/** The events of a streamed answer by their names, each with the schema of its data. */
export type StreamEvents = Readonly<Record<string, z.ZodType>>;

/** The end of an operation, announced in its answers and in the docs. docs/api-versioning.md has the policy. */
export interface Deprecated {
  /** The day from which it is deprecated, such as 2026-12-01. */
  readonly since: `${number}-${number}-${number}`;
  /** The day on which it stops answering. */
  readonly sunset: `${number}-${number}-${number}`;
  /** The operation that replaces it, by id. */
  readonly instead: `${string}.${string}`;
}

export interface Operation {
  /** `group.verb`: path in the client, OpenAPI operationId, and the tail of the NATS subject. */
  readonly id: `${string}.${string}`;
  /** Section of the interface document; the docs group by it. */
  readonly section: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; parameters as `{name}`, each a key of `params`. */
  readonly path: `/${string}`;
  readonly service: ServiceName;
  /** Services that ask it too, besides the gateway. */
  readonly askedBy?: readonly ServiceName[];
  readonly formerly?: FormerAskers;
  readonly auth: Auth;
  readonly mcp: Mcp;
  readonly bucket: Bucket;
  /**
   * A session needs a verified e-mail address: the row dials, buys, publishes or lets an agent act in the world. An API
   * key needs none, because only a verified person can make one.
   */
  readonly verified?: true;
  /**
   * The row sends requests to addresses that customers choose, or hands out a place for their files. A session needs a
   * verified e-mail address for it, as for `verified`.
   */
  readonly reaches?: 'strangers' | 'storage';
  /**
   * The permission that says what the row does, where the one of `auth` only reads. A session and an access token need it
   * besides. A key needs it, or another permission beyond reading; a row of the published interface asks a key for `auth` alone.
   */
  readonly acts?: 'tools:run' | 'agent:try';
  /** One line for the docs, imperative. */
  readonly summary: string;
  /** What the summary leaves out: effects, limits, what a repetition does. Markdown. */
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Facts of other services, which the gateway reads and sends along. A gateway of the release before sends none, and the service
   * reads them itself.
   */
  readonly composed?: z.ZodType;
  /**
   * The body may hold credentials. It is sealed on its way to the service, so that the broker and its logs see none.
   */
  readonly confidential?: true;
  /** Fields of the body that may come in a header instead, by the name of the header. */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Largest body accepted, in bytes; 256 KiB unless said. */
  readonly bodyLimitBytes?: number;
  /** A POST that changes nothing: it takes no Idempotency-Key, and its answer is kept nowhere. */
  readonly changesNothing?: true;
  /** A GET that changes something all the same, such as a registration elsewhere: it is finished once it has begun. */
  readonly changesSomething?: true;
  /** The wait for the answer, where it is longer than the gateway's usual wait. */
  readonly answerWithinMs?: number;
  /**
   * A request that repeats an earlier one carries this field of the body, and is counted by this bucket alone. All requests
   * of the row are counted by it, before their bodies are read.
   */
  readonly repeats?: { readonly field: string; readonly bucket: Bucket };
  readonly success: 200 | 201 | 202;
  /** Status of an answer that repeats an earlier result, where it differs from `success`. */
  readonly repeatedSuccess?: 200;
  /** The value in the envelope's `data`; `noData` where the answer is only a message. */
  readonly data: z.ZodType;
  /** The public sentence of the envelope's `message`. */
  readonly message: string;
  /**
   * The answer is a stream of these events, and no envelope. A request that is refused gets an ordinary error. A stream that
   * fails ends with the event `error`. `data` is `noData` then.
   */
  readonly stream?: StreamEvents;
  /**
   * The answer is a file, sent while it is made: `stream` is `textStream`, and its texts in their order are the file. `data`
   * is `noData` then.
   */
  readonly download?: { readonly contentType: 'text/csv'; readonly fileName: string };
  /** Answers an array in `data` with `nextCursor` beside it. */
  readonly paged?: true;
  /**
   * Begins calls: X-Concurrency-Limit and X-Concurrency-Remaining tell the limit and the calls that may still begin.
   */
  readonly dials?: true;
  /** Codes that this row may answer beyond those any row may. */
  readonly errors: readonly ErrorCode[];
  /** Set while it still answers and should not be used any more. */
  readonly deprecated?: Deprecated;
  /** True for an extension of this platform, which is no part of the original interface. */
  readonly extension?: true;
}

/** Declares a row; `const` keeps the literals, so that id, path and auth are types the folds can read. */
export const operation = <const T extends Operation>(row: T): T => Object.freeze(row);

/**
 * Services that no longer need a request. It is answered while their earlier release may run beside this one, and one of this
 * release sends it only to serve a process of that release.
 */
export interface FormerAskers {
  readonly askedBy: readonly [ServiceName, ...ServiceName[]];
  /** The last release that needs the request. The second release after it neither sends nor answers it. */
  readonly upTo: `${number}.${number}.${number}`;
}

/**
 * A request of one service to another over NATS, without a REST route, such as a webhook that the gateway has verified.
 * Wire and checks are the same. The caller is the platform itself, acting for an organization.
 */
export interface ServiceRequest {
  readonly id: `${string}.${string}`;
  readonly service: ServiceName;
  /** Empty for a request that only a release before sends. */
  readonly askedBy: readonly ServiceName[];
  /** The broker lets these services and those of `askedBy` ask it, and no other. */
  readonly formerly?: FormerAskers;
  readonly summary: string;
  readonly body: z.ZodType;
  /** As for an operation. */
  readonly composed?: z.ZodType;
  readonly data: z.ZodType;
  /** The body may hold credentials: it is sealed on its way to the service. */
  readonly confidential?: true;
  /** The wait for the answer, where it is longer than services wait for others. */
  readonly answerWithinMs?: number;
}

export const serviceRequest = <const T extends ServiceRequest>(row: T): T => Object.freeze(row);

/** Anything that travels as a request over NATS. */
export type Callable = Operation | ServiceRequest;

type Part<T, K extends string> = T extends { readonly [P in K]: infer S extends z.ZodType }
  ? z.output<S>
  : Record<string, never>;

/** The facts of other services that a row takes from the gateway. */
export type Composed<T extends Callable> = T extends { readonly composed: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The validated parts that a handler receives; an absent part is an empty object. */
export interface Input<T extends Callable> {
  readonly params: Part<T, 'params'>;
  readonly query: Part<T, 'query'>;
  readonly body: Part<T, 'body'>;
  /** Absent in a request of a gateway of the release before, and of a service. */
  readonly composed?: Composed<T> | undefined;
}

type InPart<T, K extends string> = T extends { readonly [P in K]: infer S extends z.ZodType }
  ? { readonly [P in K]: z.input<S> }
  : { readonly [P in K]?: never };

/** The request of a caller: the parts that the row declares, before defaults. */
export type RequestOf<T extends Callable> = InPart<T, 'params'> & InPart<T, 'query'> & InPart<T, 'body'>;

/** A request with the facts that the row takes of the gateway, or without any. */
export type ComposedRequest<T extends Callable> = RequestOf<T> | (RequestOf<T> & Pick<Input<T>, 'composed'>);

/** The `data` that a handler returns. */
export type Data<T extends Callable> = z.input<T['data']>;

/** The `data` that a caller gets. */
export type Result<T extends Callable> = z.output<T['data']>;

interface Streams {
  readonly stream: StreamEvents;
}

/** Rows with a streamed answer. */
export type StreamingRow = Operation & Streams;

/** True for a row with a streamed answer. */
export const isStreaming = (row: Callable): row is StreamingRow =>
  'stream' in row && row.stream !== undefined;

/** True for a row whose requests may carry an Idempotency-Key, under which the gateway keeps the answer for a day. */
export const takesIdempotencyKey = (row: Operation): boolean =>
  row.method === 'POST' &&
  (row.auth.kind === 'org' || row.auth.kind === 'orgAdmin') &&
  row.changesNothing !== true &&
  row.stream === undefined;

/** True for a row that a session may use with a verified e-mail address only. */
export const needsVerified = ({ verified, reaches }: Operation): boolean =>
  verified === true || reaches !== undefined;

/** True for a request that changes nothing. */
export const onlyReads = (row: Callable): boolean =>
  isOperation(row) && row.changesSomething !== true && (row.method === 'GET' || row.changesNothing === true);

/** One event of a streamed answer, as its handler yields it. */
export type StreamEvent<T extends Streams> = {
  readonly [N in keyof T['stream'] & string]: { readonly event: N; readonly data: z.input<T['stream'][N]> };
}[keyof T['stream'] & string];

/** One event of a streamed answer, as its reader gets it. */
export type StreamedEvent<T extends Streams> = {
  readonly [N in keyof T['stream'] & string]: { readonly event: N; readonly data: z.output<T['stream'][N]> };
}[keyof T['stream'] & string];

/** NATS subject of a row. */
export const subjectOf = (row: Pick<Callable, 'id' | 'service'>): string =>
  `parlance.rpc.${row.service}.${row.id.replaceAll('.', '_')}`;

/** The subjects of all rows of a service. */
export const subjectsOf = (service: ServiceName): string => `parlance.rpc.${service}.*`;

/** True for a row with a REST route. */
export const isOperation = (row: Callable): row is Operation => 'method' in row;

/** True when the contract lets the service ask the row. The gateway asks every operation of another service. */
export const mayAsk = (asker: ServiceName, row: Callable): boolean =>
  row.askedBy?.includes(asker) === true || (asker === 'gateway' && isOperation(row) && row.service !== asker);

/** True when a process of this release, or of the one before, may ask the row. */
export const isAnswered = (asker: ServiceName, row: Callable): boolean =>
  mayAsk(asker, row) || row.formerly?.askedBy.includes(asker) === true;
