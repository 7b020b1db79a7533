// People who call, cancel and retry. They ask again under the same key when the platform is away for a moment.
import { randomUUID } from 'node:crypto';
import { type Caller, contract, type Data, rolePermissions } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { callerEnvOf } from '@parlance/fixtures';
import { RequestSigner, RpcClient } from '@parlance/rpc';
import { patiently } from './evidence/patience.js';
import type { World } from './world.js';

/** The behaviour of simulated phones, by the last two digits of their number. */
export const phones = {
  talks: '00',
  neverAnswers: '60',
  busy: '70',
  declines: '80',
  unknownNumber: '90',
  providerBusyOnce: '95',
  providerFails: '96',
  providerSilent: '97',
  hangsUp: '98',
} as const;

export type Campaign = Data<typeof contract.outboundCallsGetBatch>;

const numbersPerPhone = 90;
/** As short as it may be: most experiments here do not depend on it. */
const usualRingingSeconds = 10;
const fromNumber = '+14155550142';

export type CancelAnswer = 'cancelled' | 'notCancellable';
export type RetryAnswer = 'retried' | 'notRetryable';

export class People {
  readonly #world: World;
  readonly #rpc: RpcClient;
  readonly #who: Caller = {
    organizationId: randomUUID(),
    actor: { type: 'user', id: 'u1' },
    role: 'owner',
    permissions: [...rolePermissions.owner],
  };
  readonly #agentId = randomUUID();
  readonly #cancelledCampaigns = new Map<string, number>();
  #placed = 0;

  constructor(world: World) {
    this.#world = world;
    this.#rpc = new RpcClient(world.nats, { signer: new RequestSigner('gateway', callerEnvOf('gateway')) });
  }

  /** Resolves with the call's id when the dialer has confirmed it. @param ending of the number, see `phones` */
  async place(ending: string, ringingTimeoutSeconds = usualRingingSeconds): Promise<string> {
    const id = randomUUID();
    const body = {
      agentId: this.#agentId,
      phoneNumber: this.#numberOf(ending),
      fromNumber,
      ringingTimeoutSeconds,
    };
    await patiently(async () =>
      this.#rpc.call(contract.outboundCallsQuick, { body }, { ...this.#context(), commandId: id }),
    );
    this.#answered(id, 'placed');
    return id;
  }

  /** A campaign to phones with these endings, as fast as may be unless said. Resolves with its id when the dialer has it. */
  async startCampaign(endings: readonly string[], callsPerSecond = 100): Promise<string> {
    const sourceFileName = 'people.csv';
    const file = ['phone', ...endings.map((ending) => this.#numberOf(ending))].join('\n');
    const bytes = String(Buffer.byteLength(file));
    const query = { fileName: sourceFileName, contentType: 'text/csv', bytes };
    const { data: upload } = await patiently(async () =>
      this.#rpc.call(contract.outboundCallsBatchUploadUrl, { query }, this.#context()),
    );
    await fetch(upload.uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: file });
    const body = {
      ...{ name: 'Chaos', agentId: this.#agentId, fromNumber },
      ringingTimeoutSeconds: usualRingingSeconds,
      ...{ sourceFileKey: upload.sourceFileKey, sourceFileName, callsPerSecond },
      // The provider's faults here would make the campaign pause, rightly, and nothing would happen for minutes.
      circuitBreaker: { enabled: false },
    };
    const commandId = randomUUID();
    const { data } = await patiently(async () =>
      this.#rpc.call(contract.outboundCallsCreateBatch, { body }, { ...this.#context(), commandId }),
    );
    return data.id;
  }

  /** Cancels a campaign, unless it is over. Resolves when the dialer has said so. */
  async cancelCampaign(campaignId: string): Promise<void> {
    const params = { campaignId };
    const answer = await this.#orCode('CAMPAIGN_NOT_CANCELLABLE', 'over', async () => {
      await this.#rpc.call(contract.outboundCallsCancelBatch, { params }, this.#context());
      return 'cancelled';
    });
    if (answer === 'cancelled' && !this.#cancelledCampaigns.has(campaignId))
      this.#cancelledCampaigns.set(campaignId, Date.now());
  }

  /** The state of a campaign as people read it. */
  async campaign(campaignId: string): Promise<Campaign> {
    const params = { campaignId };
    const ask = async () => this.#rpc.call(contract.outboundCallsGetBatch, { params }, this.#context());
    return (await patiently(ask)).data;
  }

  /** When each was cancelled, as far as people know. */
  get cancelledCampaigns(): ReadonlyMap<string, number> {
    return this.#cancelledCampaigns;
  }

  #numberOf(ending: string): string {
    this.#placed += 1;
    return `+1415555${(this.#placed % numbersPerPhone) + 10}${ending}`;
  }

  /** Resolves with the dialer's final answer. */
  async cancel(id: string): Promise<CancelAnswer> {
    const params = { outboundId: id };
    const kind: CancelAnswer = await this.#orCode('CALL_NOT_CANCELLABLE', 'notCancellable', async () => {
      await this.#rpc.call(contract.outboundCallsCancel, { params }, this.#context());
      return 'cancelled';
    });
    this.#answered(id, kind);
    return kind;
  }

  /** Asks for another attempt; every request is a new one. */
  async retry(id: string): Promise<RetryAnswer> {
    const params = { outboundId: id };
    const commandId = randomUUID();
    const kind: RetryAnswer = await this.#orCode('CALL_NOT_RETRYABLE', 'notRetryable', async () => {
      const context = { ...this.#context(), commandId };
      await this.#rpc.call(contract.outboundCallsRetry, { params }, context);
      return 'retried';
    });
    this.#answered(id, kind);
    return kind;
  }

  async #orCode<const T, const U>(code: string, otherwise: U, ask: () => Promise<T>): Promise<T | U> {
    try {
      return await patiently(ask);
    } catch (error) {
      if (error instanceof AppError && error.code === code) return otherwise;
      throw error;
    }
  }

  #context(): { readonly caller: Caller; readonly requestId: string } {
    return { caller: this.#who, requestId: randomUUID() };
  }

  #answered(id: string, kind: World['answers'][number]['kind']): void {
    this.#world.answers.push({ id, kind, at: Date.now() });
  }
}
