// The reasons of an event store that does not work, as sentences for the operator.
import { ErrorType } from '@eventstore/db-client';

const reasons = {
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
  [/ALTNAME/, reasons.otherHost],
  [/certificate|UNABLE_TO_\w+|CERT_\w+/i, reasons.untrusted],
  [/wrong version number|packet length too long/i, reasons.noTls],
  [/No leader info|Server Is Not Ready/, reasons.noLeader],
  [foundNone, reasons.notFound],
];

const textOf = (error: unknown): string => String(field(error, 'message') ?? '');

/** True when the client has found no node of a cluster, for a reason that it does not report. */
export const isNoNode = (error: unknown): boolean => foundNone.test(textOf(error));

/** Undefined for an outage without a known reason. */
export const reasonOf = (error: unknown): string | undefined => {
  if (field(error, 'code') === unauthenticated) return reasons.credentials;
  if (field(error, 'code') === permissionDenied || field(error, 'type') === ErrorType.ACCESS_DENIED)
    return reasons.rights;
  return inText.find(([pattern]) => pattern.test(textOf(error)))?.[1];
};
