// The operations that can fail on demand, and a server's wording of the failures.
import { FaultSwitches } from '@parlance/fake-kit';
import { CommandError } from './errors.js';
import { READS } from './reads.js';
import { WRITES } from './writes.js';

const targets = ['write', 'read', 'command'] as const;
export type MongoTarget = (typeof targets)[number];
/**
 * Claims of the server to clients that look. It is a member of a replica set, is old, has little room, or gives the user few rights.
 */
const memberModes = [
  'old',
  'without-primary',
  'member-lost',
  'oplog-short',
  'disk-full',
  'without-rights',
] as const;
export type MemberMode = (typeof memberModes)[number];
export type MongoFaults = FaultSwitches<MemberMode>;

/** Commands that drivers send of their own accord: they neither fail on demand nor count. */
const BOOKKEEPING = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'saslStart',
  'saslContinue',
  'endSessions',
  'killCursors',
]);

/**
 * `write`: documents. `read`: documents, cursors, counts. `command`: all other commands, such as those of indexes.
 * `member`: the server's reports about itself.
 */
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
