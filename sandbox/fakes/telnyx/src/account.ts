// The owners of numbers, orders and connections: everything that the simulated accounts own, durable, and in the
// ledger.
import { randomInt } from 'node:crypto';
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
  readonly id: string;
  readonly account: string;
  readonly phoneNumber: string;
  readonly country: string;
  readonly type: NumberType;
  readonly connectionId: string | null;
  readonly customerReference: string | null;
  readonly tags: readonly string[];
  readonly purchasedAt: string;
  /** When the order is fulfilled and the number works. */
  readonly activeAt: string;
  readonly updatedAt: string;
}

export interface Order {
  readonly id: string;
  readonly account: string;
  readonly numbers: readonly Pick<OwnedNumber, 'id' | 'phoneNumber' | 'country' | 'type'>[];
  readonly connectionId: string | null;
  readonly customerReference: string | null;
  readonly createdAt: string;
  /** When it stops to be pending. */
  readonly settledAt: string;
  readonly outcome: 'success' | 'failure';
}

export interface Connection {
  readonly id: string;
  readonly account: string;
  /** The settings that the owner sent. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A name of a SIP server that calls of a connection go to. */
export type Fqdn = Connection;

/** The destinations that calls of a connection may be made to. */
export type Profile = Connection;

/** Telnyx's ids of numbers and connections: nineteen digits. */
export const newId = (): string => `${randomInt(10 ** 9, 10 ** 10 - 1)}${randomInt(10 ** 8, 10 ** 9 - 1)}`;

const factsOf = ({ id, phoneNumber, account, customerReference }: OwnedNumber): OwnedFacts => ({
  phoneNumber,
  providerId: id,
  marker: customerReference,
  account,
});

interface Stores {
  readonly numbers: DurableMap<OwnedNumber>;
  readonly orders: DurableMap<Order>;
  readonly connections: DurableMap<Connection>;
  readonly fqdns: DurableMap<Fqdn>;
  readonly profiles: DurableMap<Profile>;
  /** The credentials that prove a call to be a connection's own, by the connection's id. */
  readonly authentications: DurableMap<Connection>;
}

export class Accounts {
  readonly numbers: DurableMap<OwnedNumber>;
  readonly orders: DurableMap<Order>;
  readonly connections: DurableMap<Connection>;
  readonly fqdns: DurableMap<Fqdn>;
  readonly profiles: DurableMap<Profile>;
  readonly authentications: DurableMap<Connection>;
  readonly #stores: Stores;
  readonly #ledger: Ledger;

  private constructor(stores: Stores, ledger: Ledger) {
    this.numbers = stores.numbers;
    this.orders = stores.orders;
    this.connections = stores.connections;
    this.fqdns = stores.fqdns;
    this.profiles = stores.profiles;
    this.authentications = stores.authentications;
    this.#stores = stores;
    this.#ledger = ledger;
  }

  static async open(dataDir: string, ledger: Ledger, accounts: readonly string[]): Promise<Accounts> {
    const [numbers, orders, connections, fqdns, profiles, authentications] = await Promise.all([
      DurableMap.open<OwnedNumber>(join(dataDir, 'numbers.jsonl')),
      DurableMap.open<Order>(join(dataDir, 'orders.jsonl')),
      DurableMap.open<Connection>(join(dataDir, 'connections.jsonl')),
      DurableMap.open<Fqdn>(join(dataDir, 'fqdns.jsonl')),
      DurableMap.open<Profile>(join(dataDir, 'outbound-voice-profiles.jsonl')),
      DurableMap.open<Connection>(join(dataDir, 'fqdn-authentications.jsonl')),
    ]);
    await settleNumbers(ledger, 'telnyx', accounts, numbers.values().map(factsOf));
    return new Accounts({ numbers, orders, connections, fqdns, profiles, authentications }, ledger);
  }

  /** The owner's records, newest first. */
  mine<T extends { readonly account: string }>(records: DurableMap<T>, account: string): T[] {
    return records
      .values()
      .filter((record) => record.account === account)
      .reverse();
  }

  owner(phoneNumber: string): OwnedNumber | undefined {
    return this.numbers.values().find((number) => number.phoneNumber === phoneNumber);
  }

  /** Owned at once, so that no other account can order them; on disk and in the ledger when it resolves. */
  async order(order: Order, numbers: readonly OwnedNumber[]): Promise<void> {
    await Promise.all(numbers.map((number) => this.numbers.set(number.id, number)));
    await this.orders.set(order.id, order);
    await Promise.all(numbers.map((number) => this.#write('purchase', number)));
  }

  async configure(number: OwnedNumber): Promise<void> {
    await this.numbers.set(number.id, number);
    await this.#write('configure', number);
  }

  async release(number: OwnedNumber): Promise<void> {
    await this.numbers.delete(number.id);
    await this.#write('release', number);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#stores).map((store) => store.close()));
  }

  #write(kind: NumberEntry['kind'], number: OwnedNumber): Promise<void> {
    return this.#ledger.write({ kind, at: new Date().toISOString(), provider: 'telnyx', ...factsOf(number) });
  }
}
