// Puts the number of a person on the list who asked in a call not to be called again. The runtime requests it during the call, and
// the hand-over of the call reports it once more.
import { events, type Result, type serviceRequests } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { Clock, Ids } from '@parlance/observability';
import { announce, type Database, isRemoved, type Tx } from '@parlance/postgres';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { outboundCallOf } from '../read-models/outbound-call-queries.js';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import { hasFactOfCall } from './suppression-facts.js';
import { suppress } from './suppressions.js';

type Numbers = Result<typeof serviceRequests.callsNumbers>;

export interface OptOutParts {
  readonly db: Database;
  readonly calls: Pick<OutboundCalls, 'load'>;
  /** @throws AppError CALL_NOT_FOUND */
  readonly askCallNumbers: (organizationId: string, callId: string) => Promise<Numbers>;
  readonly hashNumbers: HashNumbers;
  readonly personalData: Pick<PersonalData, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A caller's number without a plus is written as in the country of the number that was called. */
export const personIn = ({ direction, fromNumber, toNumber }: Numbers): string | undefined => {
  const [person, own] = direction === 'outbound' ? [toNumber, fromNumber] : [fromNumber, toNumber];
  if (person === null) return undefined;
  const country = own === null ? undefined : parsePhoneNumberFromString(own)?.country;
  const number = parsePhoneNumberFromString(person, country);
  // Providers write short numbers and words where a number is withheld.
  return number?.isPossible() === true ? number.number : undefined;
};

const numberInCall = async (
  { db, calls, askCallNumbers }: OptOutParts,
  organizationId: string,
  callId: string,
): Promise<string | undefined> => {
  const outboundCallId = await outboundCallOf(db, organizationId, callId);
  if (outboundCallId === undefined) return personIn(await askCallNumbers(organizationId, callId));
  const { state } = await calls.load(outboundCallId);
  return state.phase === 'absent' ? undefined : state.personal?.phoneNumber;
};

/** A person who asked in a call not to be called again. */
interface OptOut {
  readonly organizationId: string;
  readonly callId: string;
  readonly phoneNumber: string;
  readonly numberHash: string;
}

/**
 * The person in the call; undefined where the number is withheld or erased. It may request the number of calls-logs, which no
 * transaction should be open for.
 * @throws AppError CALL_NOT_FOUND
 */
export const optOutOfCall = async (
  tx: Tx,
  parts: OptOutParts,
  { organizationId, callId }: Pick<OptOut, 'organizationId' | 'callId'>,
): Promise<OptOut | undefined> => {
  if (await isRemoved(tx, organizationId)) return undefined;
  const phoneNumber = await numberInCall(parts, organizationId, callId);
  if (phoneNumber === undefined) return undefined;
  const [numberHash = ''] = await parts.hashNumbers([phoneNumber]);
  return { organizationId, callId, phoneNumber, numberHash };
};

/** Repetitions change nothing, so that a number which an admin has taken off the list in the meantime stays off it. */
export const recordOptOut = async (
  tx: Tx,
  parts: OptOutParts,
  { organizationId, callId, phoneNumber, numberHash }: OptOut,
): Promise<void> => {
  if (await hasFactOfCall(tx, { organizationId, numberHash, callId })) return;
  const entry = { id: parts.ids.next(), phoneNumber, numberHash };
  const at = parts.clock.now();
  const how = { source: 'call', actor: `call:${callId}`, callId, reason: null, at } as const;
  const [listed] = await suppress(tx, parts.personalData, organizationId, [entry], how);
  const suppressionId = listed?.id ?? null;
  await announce(tx, parts, events.suppressionsChanged, organizationId, { suppressionId, change: 'created' });
};
