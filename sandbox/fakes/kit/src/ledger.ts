// The ledger: the requests to the outside, on disk before they are answered. Audits compare the platform with it;
// it outlives a killed platform. One file for a whole run: every stand-in appends whole lines to it.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { AppendLog } from './append-log.js';

export interface CallEntry {
  /** `dial`: a request came in. `ring`: the phone rang because of it. */
  readonly kind: 'dial' | 'ring';
  readonly at: string;
  readonly room: string;
  readonly identity: string;
  readonly to: string;
  readonly from: string;
  /** The trunk that the call left through; absent from ledgers of older releases. */
  readonly trunkId?: string;
  readonly sipCallId: string;
}

export interface NumberEntry {
  /** `purchase`: the account owns the number from now on. `release`: it no longer does. `configure`: its settings changed. */
  readonly kind: 'purchase' | 'release' | 'configure';
  readonly at: string;
  readonly provider: 'twilio' | 'telnyx';
  /** E.164 */
  readonly phoneNumber: string;
  /** The provider's id of the owned number. */
  readonly providerId: string;
  /** The buyer's note on the number, such as Twilio's friendly name or Telnyx's customer reference. */
  readonly marker: string | null;
  /** The account that owns the number at the provider. */
  readonly account: string;
}

/** A request of the platform to a system of a customer: a tool that ran in a call. */
export interface LookupEntry {
  readonly kind: 'lookup';
  readonly at: string;
  /** As the tool told it. */
  readonly callId: string;
}

export type LedgerEntry = CallEntry | NumberEntry | LookupEntry;

export class Ledger {
  readonly #log: AppendLog;

  private constructor(log: AppendLog) {
    this.#log = log;
  }

  /** Opens the ledger at a path and makes it, with its folder, where there is none. */
  static async open(path: string): Promise<Ledger> {
    return new Ledger(await AppendLog.open(path));
  }

  get path(): string {
    return this.#log.path;
  }

  /** Resolves when the entry is on disk. Entries keep their order. */
  write(entry: LedgerEntry): Promise<void> {
    return this.#log.append(entry);
  }

  async close(): Promise<void> {
    await this.#log.close();
  }
}

/** Reads a ledger line by line. Torn lines, of a machine that died while writing, are left out. */
export async function* readLedger(path: string): AsyncIterable<LedgerEntry> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    try {
      yield JSON.parse(line) as LedgerEntry; // written by `write` above
    } catch {
      // Never acknowledged to anybody.
    }
  }
}

/** The dials and rings of a ledger. */
export async function* readCalls(path: string): AsyncIterable<CallEntry> {
  for await (const entry of readLedger(path)) if (entry.kind === 'dial' || entry.kind === 'ring') yield entry;
}

/** A number that a provider's account owns right now. */
export type OwnedFacts = Pick<NumberEntry, 'phoneNumber' | 'providerId' | 'marker' | 'account'>;

/**
 * Writes the entries that a killed stand-in had not yet written: purchases of owned numbers, and releases of numbers
 * not owned. Call it before the first request of a new process.
 */
export const settleNumbers = async (
  ledger: Ledger,
  provider: NumberEntry['provider'],
  accounts: readonly string[],
  owned: readonly OwnedFacts[],
): Promise<void> => {
  const unsettled = new Map<string, OwnedFacts>();
  for await (const entry of readLedger(ledger.path)) {
    if (!('provider' in entry) || entry.provider !== provider || !accounts.includes(entry.account)) continue;
    if (entry.kind === 'purchase') unsettled.set(entry.providerId, entry);
    if (entry.kind === 'release') unsettled.delete(entry.providerId);
  }
  const write = (kind: NumberEntry['kind'], { phoneNumber, providerId, marker, account }: OwnedFacts) =>
    ledger.write({ kind, at: new Date().toISOString(), provider, phoneNumber, providerId, marker, account });
  const ownedIds = new Set(owned.map(({ providerId }) => providerId));
  for (const number of owned) if (!unsettled.has(number.providerId)) await write('purchase', number);
  for (const number of unsettled.values())
    if (!ownedIds.has(number.providerId)) await write('release', number);
};
