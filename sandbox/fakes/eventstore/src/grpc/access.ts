// The accounts of the server, and the streams that each account may read and write.
import { sameSecret } from '@parlance/fake-kit';
import { AccessDeniedError } from '../store/errors.js';
import type { EventStore } from '../store/event-store.js';
import { ANYBODY, type Caller } from './caller.js';
import { GrpcError, STATUS } from './status.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Accounts {
  /** The administrator; without one every caller may do everything. */
  readonly credentials?: Credentials | undefined;
  /** Users without the rights of an administrator. */
  readonly users?: readonly Credentials[] | undefined;
}

/** Name of the stream of all events, and of the role that every user has. */
export const ALL = '$all';

const matches = (header: string | undefined, { username, password }: Credentials): boolean =>
  sameSecret(header ?? '', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);

/** @throws GrpcError UNAUTHENTICATED unless the header carries the credentials of an account */
export function authenticate(header: string | undefined, { credentials, users = [] }: Accounts): Caller {
  if (credentials === undefined) return ANYBODY;
  if (matches(header, credentials)) return { name: credentials.username, isAdmin: true };
  const user = users.find((known) => matches(header, known));
  if (user !== undefined) return { name: user.username, isAdmin: false };
  throw new GrpcError(STATUS.UNAUTHENTICATED, 'the credentials are missing or wrong');
}

/** System streams belong to administrators. The metadata of any other stream is everybody's, as the stream is. */
const isSystemStream = (stream: string): boolean => stream.replace(/^\$\$/, '').startsWith('$');

/** Users and roles that the access list in a stream's metadata lets read it. */
function readersOf(store: EventStore, stream: string): readonly unknown[] {
  const { $acl: acl } = store.metadata(stream);
  const readers = typeof acl === 'object' && acl !== null && '$r' in acl ? acl.$r : undefined;
  return Array.isArray(readers) ? readers : [readers];
}

/** @throws AccessDeniedError for `$all` or another system stream, unless its access list names the caller */
export function assertMayRead(store: EventStore, stream: string, { name, isAdmin }: Caller): void {
  if (isAdmin || !isSystemStream(stream)) return;
  const readers = readersOf(store, stream);
  if (!readers.includes(name) && !readers.includes(ALL)) throw new AccessDeniedError('Access Denied');
}

/** @throws AccessDeniedError for a system stream, unless the caller is an administrator */
export function assertMayWrite(stream: string, { isAdmin }: Caller): void {
  if (!isAdmin && isSystemStream(stream)) throw new AccessDeniedError('Access Denied');
}
