// The reports of a member of a replica set in trouble, of an old server, or of one with a full disk. This server only
// claims to be one.

import type { FaultMode } from '@parlance/fake-kit';
import { type Document, Long } from 'bson';
import type { MemberMode } from './faults.js';

const setName = 'rs0';
const hourMs = 3_600_000;

const inSet = (address: string, hasPrimary: boolean): Document => ({
  ...{ setName, setVersion: 1, hosts: [address], me: address },
  ...{ isWritablePrimary: hasPrimary, ismaster: hasPrimary, secondary: !hasPrimary },
  ...(hasPrimary ? { primary: address } : {}),
});

const oplogEdge = (order: unknown): Document => ({
  cursor: {
    id: Long.fromNumber(0),
    ns: 'local.oplog.rs',
    firstBatch: [{ wall: new Date(Date.now() - (order === 1 ? hourMs : 0)) }],
  },
  ok: 1,
});

const isHello = (name: string): boolean => ['hello', 'isMaster', 'ismaster'].includes(name);

const forMonitors = ['replSetGetStatus', 'collStats', 'dbStats'];

/** As for a user with readWrite on its own database alone. */
const refusalOf = (name: string, body: Document): Document | undefined =>
  forMonitors.includes(name) || body.find === 'oplog.rs'
    ? { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: `not authorized to execute command ${name}` }
    : undefined;

/** The fields that this mode adds, or the whole answer to a command that the server does not know; undefined for none. */
export const toldOfMember = (
  mode: MemberMode | FaultMode,
  body: Document,
  address: string,
): Document | undefined => {
  const [name = ''] = Object.keys(body);
  if (mode === 'old') return name === 'buildInfo' ? { version: '4.4.0' } : undefined;
  if (mode === 'disk-full')
    return name === 'dbStats'
      ? { fsUsedSize: 97_000_000_000, fsTotalSize: 100_000_000_000, ok: 1 }
      : undefined;
  if (mode === 'without-rights') return isHello(name) ? inSet(address, true) : refusalOf(name, body);
  if (mode === 'without-primary') return isHello(name) ? inSet(address, false) : undefined;
  if (mode !== 'member-lost' && mode !== 'oplog-short') return undefined;
  if (isHello(name)) return inSet(address, true);
  if (name === 'replSetGetStatus') {
    const lost = { name: 'other.invalid:27017', stateStr: '(not reachable/healthy)' };
    const self = { name: address, stateStr: 'PRIMARY' };
    return { set: setName, members: mode === 'member-lost' ? [self, lost] : [self], ok: 1 };
  }
  if (mode === 'oplog-short' && name === 'collStats')
    return { size: 990_000_000, maxSize: 1_000_000_000, ok: 1 };
  const isOplog = mode === 'oplog-short' && name === 'find' && body.find === 'oplog.rs';
  return isOplog ? oplogEdge(body.sort?.$natural) : undefined;
};
