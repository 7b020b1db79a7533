// The causes of an event store that does not work, in sentences for the operator. The sentences name no host, user or
// version, because readiness reports are public.
import { ErrorType } from '@eventstore/db-client';
import { AppError } from '@parlance/errors';

const causes = {
  credentials: 'the event store refuses the user name or the password in EVENTSTORE_URL',
  rights:
    'the event store denies its user what is needed, such as reading $all: see "The event store" in docs/operations.md',
  untrusted:
    'the certificate of the event store is not trusted: name the authority that issued it as tlsCAFile in EVENTSTORE_URL',
  otherHost: 'the certificate of the event store is for another host name than EVENTSTORE_URL has',
  noTls:
    'the event store does not speak TLS: EVENTSTORE_URL needs tls=false, or the event store a certificate',
  notFound: 'no node of the event store answers that could be used',
  noLeader: 'the event store has no leader now: it answers again when its nodes have elected one',
} as const;

/** gRPC's statuses. */
const permissionDenied = 7;
const unauthenticated = 16;

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;

/** The client's message when it has looked for a node of a cluster and found none. */
const foundNone = /Failed to discover/;

/** The client hands on the errors of TLS as text alone. */
const inText: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME/, causes.otherHost],
  [/certificate|UNABLE_TO_\w+|CERT_\w+/i, causes.untrusted],
  [/wrong version number|packet length too long/i, causes.noTls],
  [/No leader info|Server Is Not Ready/, causes.noLeader],
  [foundNone, causes.notFound],
];

const toldIn = (error: unknown): unknown => (error instanceof AppError ? error.cause : error);

const textOf = (error: unknown): string => String(field(toldIn(error), 'message') ?? '');

/** True when the client has found no node of a cluster, for a reason that it keeps to itself. */
export const isFoundNone = (error: unknown): boolean => foundNone.test(textOf(error));

/** Undefined for an outage like any other. */
export const causeOf = (error: unknown): string | undefined => {
  const told = toldIn(error);
  if (field(told, 'code') === unauthenticated) return causes.credentials;
  if (field(told, 'code') === permissionDenied || field(told, 'type') === ErrorType.ACCESS_DENIED)
    return causes.rights;
  return inText.find(([pattern]) => pattern.test(textOf(error)))?.[1];
};
