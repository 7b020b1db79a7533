// One campaign's file, from the storage into the campaign's recipients. Rows go in batch by batch. No dialer calls them
// until the campaign's stream records the import, and a process that begins anew removes them first.
import type { Overridable, Result, serviceRequests } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Clock, Logger } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { CampaignCommand } from '../domain/campaign/campaign.js';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import type { RecipientForm } from '../personal-data/recipient-form.js';
import { noteSealed } from '../personal-data/seal-campaigns.js';
import type { SealedCampaign } from '../personal-data/sealed-recipients.js';
import { type Campaigns, campaignStep } from '../repositories/campaign-repository.js';
import { countryOfCaller } from '../rules/phone-numbers.js';
import { suppressedAmong } from '../suppressions/suppressed-numbers.js';
import { type FileClaim, holdFile, settleFile } from './file-claims.js';
import { importFile } from './import-file.js';
import type { AgentOfFile, ImportLimits, ImportOutcome } from './import-types.js';
import { deleteRecipients, deleteRefusedRows, insertBatch, type RecipientBatch } from './recipient-batch.js';
import { sealBatch } from './seal-batch.js';
import type { FileRefusal } from './sheet/file-refusal.js';

export interface CampaignImportParts {
  readonly db: Pick<Database, 'query' | 'transaction'>;
  readonly storage: Pick<ObjectStorage, 'open'>;
  readonly campaigns: Campaigns;
  readonly personalData: Pick<PersonalData, 'seal' | 'hashes'>;
  readonly hashNumbers: HashNumbers;
  readonly recipientForm: RecipientForm;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: ImportLimits;
  /** All countries that this organization may call from this number. */
  readonly allowedCountries: (organizationId: string, fromNumber: string) => Promise<readonly string[]>;
  readonly askPlaceholders: (organizationId: string, agentId: string) => Promise<AgentTexts>;
}

type AgentTexts = Result<typeof serviceRequests.agentsPlaceholders>;

/** A claim lives this long without being renewed. */
export const claimForMs = 30_000;
const maxTries = 5;
const rowsAtOnce = 5_000;

export const agentOfFile = (
  { placeholders, choices }: AgentTexts,
  allowedOverrides: readonly Overridable[],
): AgentOfFile => ({ mentioned: placeholders.map(({ name }) => name), allowedOverrides, choices });

const refused = (refusal: FileRefusal): ImportOutcome => ({ kind: 'refused', refusal, report: null });

export class CampaignImport {
  readonly #parts: CampaignImportParts;
  readonly #claim: FileClaim;
  #areAllSealed = true;

  constructor(parts: CampaignImportParts, claim: FileClaim) {
    this.#parts = parts;
    this.#claim = claim;
  }

  /**
   * Reads the file and records the outcome in the campaign's stream. Does nothing when the stream has an outcome
   * already.
   * @throws ClaimLost; AppError 503 when the storage, the database or a neighbour is down; the signal's reason
   */
  async run(signal: AbortSignal): Promise<void> {
    const { state } = await this.#parts.campaigns.load(this.#claim.campaignId);
    if (state.phase !== 'validating') return;
    // The outcome is stored before it is recorded. A process that sleeps in between may still record it after another
    // one took over. So from then on the recipients stay as they are, and every process records the same outcome.
    const outcome = this.#claim.outcome ?? (await this.#settle(state, signal));
    await this.#tell(state, outcome);
  }

  async #settle(state: KnownCampaign, signal: AbortSignal): Promise<ImportOutcome> {
    await this.#clear(deleteRecipients);
    await this.#clear(deleteRefusedRows);
    const outcome = await this.#read(state, signal);
    // The rows that cannot be called stay: they may be why the file is refused.
    if (outcome.kind === 'refused') await this.#clear(deleteRecipients);
    await this.#holding(async (tx) => {
      await settleFile(tx, this.#claim, outcome);
      if (this.#areAllSealed) await noteSealed(tx, this.#claim.campaignId);
    });
    return outcome;
  }

  /** Sealed before the transaction, which keeps other writers of the campaign waiting. */
  async #insert(campaign: SealedCampaign, batch: RecipientBatch): Promise<void> {
    const { db, personalData, recipientForm } = this.#parts;
    const isSealed = await recipientForm.isSealed(db);
    this.#areAllSealed &&= isSealed;
    const stored = isSealed ? await sealBatch(personalData, campaign, batch) : batch;
    await this.#holding((tx) => insertBatch(tx, campaign, stored));
  }

  async #read({ created, personal }: KnownCampaign, signal: AbortSignal): Promise<ImportOutcome> {
    const { storage, limits, allowedCountries } = this.#parts;
    const { campaignId, tries } = this.#claim;
    const { organizationId, sourceFileKey, sourceFileName, duplicates, columns } = created;
    if (tries > maxTries)
      return refused({ code: 'FILE_INVALID', message: `the file could not be read in ${maxTries} tries` });
    if (personal === null)
      return refused({ code: 'FILE_INVALID', message: "the caller's number is not known any more" });
    const plan = {
      country: countryOfCaller(personal.fromNumber),
      allowedCountries: await allowedCountries(organizationId, personal.fromNumber),
    };
    const agent = await this.#agentOf(created);
    const stream = await storage.open(sourceFileKey, signal);
    if (stream === undefined)
      return refused({ code: 'FILE_INVALID', message: 'the file is not in the storage any more' });
    return importFile({
      ...{
        campaignId,
        stream,
        fileName: sourceFileName,
        plan,
        duplicates,
        limits,
        columns,
        agent,
        signal,
      },
      suppressedAmong: suppressedAmong(this.#parts, organizationId),
      onBatch: (batch) => this.#insert({ organizationId, campaignId }, batch),
    });
  }

  /** Undefined for an agent that was deleted meanwhile: its campaign pauses before the first call. */
  async #agentOf(created: KnownCampaign['created']): Promise<AgentOfFile | undefined> {
    const { organizationId, agentId, allowedOverrides } = created;
    try {
      return agentOfFile(await this.#parts.askPlaceholders(organizationId, agentId), allowedOverrides);
    } catch (error) {
      if (error instanceof AppError && error.code === 'AGENT_NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Deletes the rows that an earlier try has left. */
  async #clear(deleteRows: typeof deleteRecipients): Promise<void> {
    const { campaignId } = this.#claim;
    for (;;) {
      const deleted = await this.#holding((tx) => deleteRows(tx, campaignId, rowsAtOnce));
      if (deleted < rowsAtOnce) return;
    }
  }

  /** Runs while the claim is held: a process that lost its claim must not write for the campaign. */
  async #tell({ created }: KnownCampaign, outcome: ImportOutcome): Promise<void> {
    const { campaigns, clock, logger } = this.#parts;
    const { campaignId } = this.#claim;
    const now = clock.now().toISOString();
    const { report } = outcome;
    const command: CampaignCommand =
      outcome.kind === 'imported'
        ? { type: 'RecordImport', report: outcome.report, now }
        : { type: 'RefuseFile', ...outcome.refusal, report, now };
    const meta = campaignStep(created.organizationId, campaignId, command.type, now);
    await this.#holding(() => campaigns(campaignId, command, meta));
    const { rows = 0, accepted = 0 } = report ?? {};
    const code = outcome.kind === 'refused' ? { code: outcome.refusal.code } : {};
    logger.info({ campaignId, rows, accepted, ...code }, 'read the file of a campaign');
  }

  #holding<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      await holdFile(tx, this.#claim, { now: clock.now(), forMs: claimForMs });
      return work(tx);
    });
  }
}

/** True for an outage that an operator ends, and that is not the file's fault. */
export const isOutage = (error: unknown): boolean => error instanceof AppError && error.status > 500;
