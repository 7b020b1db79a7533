// What can fail on demand, and how a server words it.
import { FaultSwitches } from '@parlance/sandbox-kit';
import { CommandError } from './errors.js';
import { READS } from './reads.js';
import { WRITES } from './writes.js';

const targets = ['write', 'read', 'command'] as const;
export type MongoTarget = (typeof targets)[number];
/** The server says that it is a member of a replica set, to those who look; or that it is old, or has little room. */
const memberModes = ['old', 'without-primary', 'member-lost', 'oplog-short', 'disk-full'] as const;
export type MemberMode = (typeof memberModes)[number];
export type MongoFaults = FaultSwitches<MemberMode>;

/** What drivers send of their own accord: it neither fails on demand nor counts. */
const BOOKKEEPING = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'saslStart',
  'saslContinue',
  'endSessions',
  'killCursors',
]);

/** `write`: documents. `read`: documents, cursors, counts. `command`: all other commands, such as those of indexes. `member`: what is told of the server. */
export const createMongoFaults = (): MongoFaults => new FaultSwitches(targets, { member: memberModes });

/** Which switch a command answers to, by its name; undefined if to none. */
export function targetOf(name: string): MongoTarget | undefined {
  if (BOOKKEEPING.has(name)) return undefined;
  if (Object.hasOwn(WRITES, name)) return 'write';
  return Object.hasOwn(READS, name) ? 'read' : 'command';
}

/** The command's own fault: a driver does not try again. */
export const refused = new CommandError(2, 'refused on demand');

/** A driver tries again after a while, if it may. */
export const overloaded = new CommandError(462, 'The server is overloaded', {
  errorLabels: ['SystemOverloadedError', 'RetryableError'],
});

/** Whether anything was done cannot be told. A server outside of a replica set does not call a write retryable. */
export const interrupted = new CommandError(11600, 'interrupted at shutdown');
