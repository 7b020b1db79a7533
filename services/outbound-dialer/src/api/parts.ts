// The tools that this service's controllers share.
import type { Caller } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { Erasures } from '@parlance/erasure';
import type { EventStoreConnection } from '@parlance/event-sourcing';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Clock, Ids } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import type { AskNumbers } from '../attempt/caller-numbers.js';
import type { AskProvider } from '../attempt/caller-ownership.js';
import type { CrashPoints } from '../attempt/crash-points.js';
import type { SpendSources } from '../ledger/call-spending.js';
import type { AskSettings } from '../limits/organization-settings.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import type { OptOutParts } from '../suppressions/opt-out.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly calls: OutboundCalls;
  declare readonly eventStore: Pick<EventStoreConnection, 'driver'>;
  /** Seals and hashes the personal columns of the read models. */
  declare readonly personalData: PersonalData;
  declare readonly erasures: Pick<Erasures, 'record'>;
  /** Files of campaigns; undefined where no storage is configured. */
  declare readonly storage: ObjectStorage | undefined;
  declare readonly rpc: RpcClient;
  declare readonly cursors: Cursors;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly crash: CrashPoints;
  /** Countries that every organization may call. */
  declare readonly allowedCountries: readonly string[];
  declare readonly askNumbers: AskNumbers;
  declare readonly askProvider: AskProvider;
  declare readonly askSettings: AskSettings;
  declare readonly askCallNumbers: OptOutParts['askCallNumbers'];
  declare readonly spend: SpendSources;
  declare readonly hashNumbers: HashNumbers;
  /** Price of a started minute in a browser, in micros of the rates' currency. */
  declare readonly browserMinuteMicros: number;
  /** Quota of the files of campaigns, of every organization. */
  declare readonly usualFileBytes: number;
  declare readonly callerFor: (organizationId: string) => Caller;
}
