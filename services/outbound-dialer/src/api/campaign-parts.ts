// The tools that the operations on campaigns share.
import type { Caller, Result, serviceRequests } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { ObjectStorage, UploadOffers } from '@parlance/object-storage';
import type { Clock, Ids } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import type { AskSettings } from '../limits/organization-settings.js';
import type { Campaigns } from '../repositories/campaign-repository.js';

/** A class only so that Nest can inject it by type. */
export class CampaignParts {
  declare readonly db: Database;
  declare readonly campaigns: Campaigns;
  declare readonly personalData: PersonalData;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  /** Undefined where none is configured. */
  declare readonly storage: ObjectStorage | undefined;
  /** No call lasts longer. */
  declare readonly maxCallSeconds: number;
  declare readonly uploads: UploadOffers;
  /** The largest size of a campaign's file, in bytes. */
  declare readonly maxFileBytes: number;
  declare readonly askNumbers: (
    organizationId: string,
    fromNumber: string,
  ) => Promise<Result<typeof serviceRequests.numbersForDialing>>;
  declare readonly askSettings: AskSettings;
  declare readonly callerFor: (organizationId: string) => Caller;
  /** Begins to end the calls of a cancelled campaign; the dialers end the calls that this fails to end now. */
  declare readonly endCallsSoon: (campaign: { readonly id: string; readonly organizationId: string }) => void;
}
