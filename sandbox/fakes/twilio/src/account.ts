// The owners of numbers and trunks: everything that the simulated accounts own, durable, and in the ledger.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  DurableMap,
  type Ledger,
  type NumberEntry,
  type OwnedFacts,
  settleNumbers,
} from '@parlance/fake-kit';
import type { NumberType } from '@parlance/fake-kit/numbers';

export interface OwnedNumber {
  readonly sid: string;
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly type: NumberType;
  /** The settings that the owner may change, under their names in an answer. */
  readonly settings: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Trunk {
  readonly sid: string;
  readonly accountSid: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface OriginationUrl extends Trunk {
  readonly trunkSid: string;
}

/** The user names that may send calls to a trunk. */
export type CredentialList = Trunk;

export interface Credential extends Omit<Trunk, 'settings'> {
  readonly listSid: string;
  readonly username: string;
  /** The password itself is not kept, as at Twilio. */
  readonly passwordHash: string;
}

/** A credential list that a trunk takes calls by. */
export interface TrunkList extends Trunk {
  readonly trunkSid: string;
  readonly listSid: string;
}

/** Twilio's ids: two letters for the kind and 32 hexadecimal digits. */
export const newSid = (kind: string): string => kind + randomBytes(16).toString('hex');

const factsOf = ({ sid, phoneNumber, accountSid, settings }: OwnedNumber): OwnedFacts => ({
  phoneNumber,
  providerId: sid,
  marker: settings.friendly_name ?? null,
  account: accountSid,
});

interface Stores {
  readonly numbers: DurableMap<OwnedNumber>;
  readonly trunks: DurableMap<Trunk>;
  readonly originationUrls: DurableMap<OriginationUrl>;
  readonly credentialLists: DurableMap<CredentialList>;
  readonly credentials: DurableMap<Credential>;
  /** By trunk and list. */
  readonly trunkLists: DurableMap<TrunkList>;
}

export class Accounts implements Stores {
  readonly numbers: Stores['numbers'];
  readonly trunks: Stores['trunks'];
  readonly originationUrls: Stores['originationUrls'];
  readonly credentialLists: Stores['credentialLists'];
  readonly credentials: Stores['credentials'];
  readonly trunkLists: Stores['trunkLists'];
  readonly #stores: Stores;
  readonly #ledger: Ledger;

  private constructor(stores: Stores, ledger: Ledger) {
    this.numbers = stores.numbers;
    this.trunks = stores.trunks;
    this.originationUrls = stores.originationUrls;
    this.credentialLists = stores.credentialLists;
    this.credentials = stores.credentials;
    this.trunkLists = stores.trunkLists;
    this.#stores = stores;
    this.#ledger = ledger;
  }

  static async open(dataDir: string, ledger: Ledger, accountSids: readonly string[]): Promise<Accounts> {
    const [numbers, trunks, originationUrls, credentialLists, credentials, trunkLists] = await Promise.all([
      DurableMap.open<OwnedNumber>(join(dataDir, 'numbers.jsonl')),
      DurableMap.open<Trunk>(join(dataDir, 'trunks.jsonl')),
      DurableMap.open<OriginationUrl>(join(dataDir, 'origination-urls.jsonl')),
      DurableMap.open<CredentialList>(join(dataDir, 'credential-lists.jsonl')),
      DurableMap.open<Credential>(join(dataDir, 'credentials.jsonl')),
      DurableMap.open<TrunkList>(join(dataDir, 'trunk-lists.jsonl')),
    ]);
    const stores = { numbers, trunks, originationUrls, credentialLists, credentials, trunkLists };
    await settleNumbers(ledger, 'twilio', accountSids, numbers.values().map(factsOf));
    return new Accounts(stores, ledger);
  }

  /** The owner's numbers, newest first. */
  numbersOf(accountSid: string): OwnedNumber[] {
    return this.numbers
      .values()
      .filter((number) => number.accountSid === accountSid)
      .reverse();
  }

  owner(phoneNumber: string): OwnedNumber | undefined {
    return this.numbers.values().find((number) => number.phoneNumber === phoneNumber);
  }

  /** Owned at once, so that no other account can buy it; on disk and in the ledger when it resolves. */
  async put(kind: 'purchase' | 'configure', number: OwnedNumber): Promise<OwnedNumber> {
    await this.numbers.set(number.sid, number);
    await this.#write(kind, number);
    return number;
  }

  async release(number: OwnedNumber): Promise<void> {
    await this.numbers.delete(number.sid);
    await this.#write('release', number);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#stores).map((store) => store.close()));
  }

  #write(kind: NumberEntry['kind'], number: OwnedNumber): Promise<void> {
    return this.#ledger.write({
      kind,
      at: new Date().toISOString(),
      provider: 'twilio',
      ...factsOf(number),
    });
  }
}
