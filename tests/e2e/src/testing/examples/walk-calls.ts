// Calls: placed one by one, by a campaign, as a preview and by a voice runtime, and the reports about them afterwards.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { eventually } from '@parlance/fixtures';
import type { Built, Ground, Office } from './ground.js';
import type { Caller, Data, Parts } from './recorder.js';

/** Phones by their behaviour: the last two digits decide it. */
const phones = { talks: '+14155550100', isNotCalledAgain: '+14155550131', isBusy: '+14155550170' } as const;

class Calls {
  readonly #ground: Ground;
  readonly #office: Office;
  readonly #built: Built;

  constructor(ground: Ground, office: Office, built: Built) {
    this.#ground = ground;
    this.#office = office;
    this.#built = built;
  }

  async walk(): Promise<void> {
    const events = this.#do('events.stream');
    await this.#runtime();
    await this.#trial();
    await this.#talk();
    const { callId, outboundId } = await this.#cutOff();
    await this.#campaign();
    await this.#told();
    await this.#do('calls.delete', { params: { callId } });
    await this.#do('outboundCalls.delete', { params: { outboundId } });
    await events;
  }

  #do(id: string, parts: Parts = {}, caller: Caller = this.#office.key): Promise<Data> {
    return this.#ground.recorder.ask(id, caller, parts);
  }

  #place(phoneNumber: string): Promise<Data> {
    const { agentId, fromNumber } = this.#built;
    return this.#do('outboundCalls.quick', { body: { agentId, fromNumber, phoneNumber } });
  }

  /** Reads until the data are as they should be; the earlier readings are no examples. */
  #settled(path: string, isSettled: (data: Data) => boolean): Promise<Data> {
    const { url } = this.#ground;
    return eventually(
      async () => {
        const response = await fetch(`${url}/api/v1${path}`, { headers: this.#office.key });
        const { data } = Object(await response.json());
        if (!isSettled(Object(data))) throw new Error(`${path} reads ${JSON.stringify(data)}`);
        return Object(data);
      },
      { timeoutMs: 90_000 },
    );
  }

  /** A preview is a call that a voice runtime of this walk holds: no browser enters its room. */
  async #runtime(): Promise<void> {
    const { agentId, fromNumber, toolName, modelVersion } = this.#built;
    const runtime = { 'x-internal-key': this.#ground.internalKey };
    const preview = await this.#do('agents.previewSession', { params: { agentId }, body: {} });
    const callId = String(preview.callId);
    const query = { callId, channel: 'preview', direction: 'inbound' };
    const configuration = await this.#do('internal.agentConfig', { params: { agentId }, query }, runtime);
    await this.#do('internal.numberConfig', { params: { phoneNumber: fromNumber } }, runtime);
    const ofCall = { authorization: `Bearer ${Object(configuration.runtime).callToken}` };
    const at = new Date().toISOString();
    const turn = { seq: 0, role: 'agent', text: 'Good day.', startMs: 400 };
    await this.#do(
      'calls.progress',
      { params: { callId }, body: { events: [{ seq: 0, at, type: 'turn', turn }] } },
      ofCall,
    );
    const params = { callId, toolName };
    const publicKey = generateKeyPairSync('x25519')
      .publicKey.export({ format: 'der', type: 'spki' })
      .toString('base64url');
    await this.#do(
      'models.forCall',
      { params, body: { publicKey, version: modelVersion } },
      { ...ofCall, ...runtime },
    );
    await this.#do('tools.runInCall', { params, body: { arguments: { orderId: 'A-1001' } } }, ofCall);
    await this.#do('knowledge.searchInCall', { params, body: { query: 'When do you open?' } }, ofCall);
    const recording = { contentType: 'audio/ogg', bytes: 48_000 };
    await this.#do('calls.recordingUpload', { params, body: recording }, ofCall);
    const body = {
      ...{ eventId: randomUUID(), schemaVersion: 1, organizationId: this.#office.organizationId },
      ...{ agentId, callId, channel: 'preview', direction: 'inbound', status: 'completed' },
      ...{ startedAt: at, endedAt: new Date().toISOString(), durationSeconds: 4.2, transcript: [turn] },
    };
    await this.#do('calls.ingest', { body }, runtime);
  }

  async #trial(): Promise<void> {
    const { agentId } = this.#built;
    const begun = await this.#do('agents.startPreviewConversation', { params: { agentId }, body: {} });
    const params = { agentId, sessionId: String(begun.sessionId) };
    await this.#do('agents.sendPreviewMessage', { params, body: { text: 'When do you open?' } });
    await this.#do('agents.endPreviewConversation', { params });
  }

  async #talk(): Promise<void> {
    const placed = await this.#place(phones.talks);
    const params = { outboundId: String(placed.id) };
    await this.#do('outboundCalls.status', { params });
    await this.#settled('/calls/live', (live) => Object.keys(live).length > 0);
    await this.#do('calls.live');
    const ended = await this.#settled(`/outbound-calls/${placed.id}`, ({ status }) => status === 'completed');
    await this.#do('outboundCalls.get', { params });
    await this.#do('outboundCalls.timeline', { params });
    const callId = String(ended.callId);
    await this.#settled(`/calls/${callId}/transcripts`, (turns) => Object.keys(turns).length > 0);
    await this.#settled(`/calls/${callId}`, ({ status }) => status === 'completed');
    await this.#do('calls.get', { params: { callId } });
    await this.#do('calls.transcripts', { params: { callId } });
    await this.#do('calls.timeline', { params: { callId } });
  }

  async #optOut(callId: string): Promise<void> {
    const runtime = { 'x-internal-key': this.#ground.internalKey };
    const query = { callId, channel: 'phone', direction: 'outbound' };
    const params = { agentId: this.#built.agentId };
    const configuration = await this.#do('internal.agentConfig', { params, query }, runtime);
    const ofCall = { authorization: `Bearer ${Object(configuration.runtime).callToken}` };
    await this.#do('suppressions.addOfCall', { params: { callId }, body: {} }, ofCall);
  }

  /** @returns the ids of a call that was ended by an operator */
  async #cutOff(): Promise<{ readonly callId: string; readonly outboundId: string }> {
    const busy = await this.#place(phones.isBusy);
    await this.#settled(`/outbound-calls/${busy.id}`, ({ status }) => status === 'busy');
    await this.#do('outboundCalls.retry', { params: { outboundId: String(busy.id) } });
    const unwanted = await this.#place(phones.talks);
    await this.#do('outboundCalls.cancel', { params: { outboundId: String(unwanted.id) } });
    const long = await this.#place(phones.isNotCalledAgain);
    const { roomName, callId: liveId } = await this.#settled(
      `/outbound-calls/${long.id}`,
      ({ status }) => status === 'in_progress',
    );
    await this.#optOut(String(liveId));
    await this.#do('calls.endLive', { body: { roomName } });
    const { callId } = await this.#settled(
      `/outbound-calls/${long.id}`,
      ({ status }) => status === 'completed',
    );
    await this.#settled(`/calls/${callId}`, ({ status }) => status === 'completed');
    await this.#do('calls.list', { query: { limit: '2' } });
    await this.#do('calls.export', { query: { direction: 'outbound' } });
    await this.#do('outboundCalls.list', { query: { limit: '2' } });
    return { callId: String(callId), outboundId: String(long.id) };
  }

  async #campaign(): Promise<void> {
    const { agentId, fromNumber } = this.#built;
    const file = { fileName: 'people.csv', contentType: 'text/csv' };
    const place = await this.#do('outboundCalls.batchUploadUrl', { query: file });
    const put = { method: 'PUT', headers: { 'content-type': 'text/csv' } };
    const rows = `phone_number,name\n${phones.isBusy},Ada\nnone,Grace\n`;
    await fetch(String(place.uploadUrl), { ...put, body: rows });
    const body = {
      ...{ name: 'Reminders', agentId, fromNumber, sourceFileName: file.fileName },
      sourceFileKey: place.sourceFileKey,
    };
    const { name: _, ...asked } = body;
    await this.#do('outboundCalls.previewBatch', { body: asked });
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const campaign = await this.#do('outboundCalls.createBatch', { body: { ...body, scheduledAt } });
    const params = { campaignId: String(campaign.id) };
    await this.#settled(`/outbound-calls/batches/${campaign.id}`, ({ status }) => status === 'scheduled');
    await this.#do('outboundCalls.getBatch', { params });
    await this.#do('outboundCalls.listBatches');
    await this.#do('outboundCalls.listRecipients', { params });
    await this.#do('outboundCalls.exportRecipients', { params });
    await this.#do('outboundCalls.cancelBatch', { params });
    await this.#do('outboundCalls.batchOutcomes', { params });
  }

  async #told(): Promise<void> {
    const { agentId } = this.#built;
    await this.#do('dashboard.summary', { query: { range: '24h' } });
    await this.#do('spend.get');
    const deliveries = await this.#settled(
      '/webhooks/deliveries?status=delivered',
      (all) => Object.keys(all).length > 2,
    );
    await this.#do('webhooks.deliveries', { query: { status: 'delivered', limit: '2' } });
    const deliveryId = String(Object(deliveries[0]).id);
    await this.#do('webhooks.replay', { params: { deliveryId }, body: {} }, this.#office.person);
    await this.#do('webhooks.test', { body: { agentId } }, this.#office.person);
  }
}

export const walkCalls = (ground: Ground, office: Office, built: Built): Promise<void> =>
  new Calls(ground, office, built).walk();
