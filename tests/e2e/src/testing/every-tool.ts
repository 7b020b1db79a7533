// Every tool of the MCP facade once, with success, in an order in which each finds its needs. The client checks each
// answer against the schema that the tool promises.
import { eventually } from '@parlance/fixtures';
import type { Given } from './mcp-clients.js';
import type { Driver } from './mcp-drivers.js';

export interface Ground {
  /** A number to call from. */
  readonly fromNumber: string;
  /** An MCP server with a tool `echo`. */
  readonly mcpServerUrl: string;
}

type Data = Readonly<Record<string, unknown>>;

const upload = async (place: Data, contentType: string, body: string): Promise<void> => {
  const put = { method: 'PUT', headers: { 'content-type': contentType }, body };
  const { ok, status } = await fetch(String(place.uploadUrl), put);
  if (!ok) throw new Error(`the upload was answered with ${status}`);
};

/** Phones by their behaviour: the last two digits decide it. */
const phones = { talks: '+14155550100', isBusy: '+14155550170' } as const;

class EveryTool {
  readonly done = new Set<string>();
  readonly #client: Driver;
  readonly #ground: Ground;

  constructor(client: Driver, ground: Ground) {
    this.#client = client;
    this.#ground = ground;
  }

  async run(): Promise<void> {
    const agentId = await this.#agent();
    await this.#calls(agentId);
    await this.#campaign(agentId);
    await this.#knowledge(agentId);
    await this.#toolsAndSecrets(agentId);
    await this.#widgets(agentId);
    await this.#mcp(agentId);
    // The first agent is in use for as long as its preview waits for somebody.
    await this.#do('delete-agent', { agentId: await this.#makeAgent() });
  }

  async #do(tool: string, given: Given): Promise<Data> {
    const data = await this.#client.do(tool, given);
    this.done.add(tool);
    return data;
  }

  /** Reads until the data are as they should be. */
  #settled(uri: string, isSettled: (data: Data) => boolean): Promise<Data> {
    return eventually(
      async () => {
        const data = await this.#client.read(uri);
        if (!isSettled(data)) throw new Error(`${uri} reads ${JSON.stringify(data)}`);
        return data;
      },
      { timeoutMs: 60_000 },
    );
  }

  async #makeAgent(): Promise<string> {
    const { id } = await this.#do('create-agent', { name: 'All', isActive: true, templateId: 'business' });
    return String(id);
  }

  async #agent(): Promise<string> {
    const agentId = await this.#makeAgent();
    await this.#do('update-agent', { agentId, name: 'Everything' });
    const { defaults } = await this.#client.read('parlance://get_voice_catalog');
    const said = { firstMessage: 'Hello.', systemPrompt: 'You are friendly.' };
    await this.#do('save-agent-config', { agentId, ...said, ...Object(defaults) });
    await this.#do('create-agent-preview-session', { agentId });
    return agentId;
  }

  #call(agentId: string, phoneNumber: string): Promise<Data> {
    const { fromNumber } = this.#ground;
    return this.#do('create-quick-outbound-call', { agentId, phoneNumber, fromNumber });
  }

  async #calls(agentId: string): Promise<void> {
    const talk = await this.#call(agentId, phones.talks);
    const address = `parlance://get_outbound_call/${talk.id}`;
    const { roomName } = await this.#settled(address, ({ status }) => status === 'in_progress');
    await this.#do('end-live-call', { roomName });
    const { callId } = await this.#settled(address, ({ status }) => status === 'completed');
    const busy = await this.#call(agentId, phones.isBusy);
    await this.#settled(`parlance://get_outbound_call/${busy.id}`, ({ status }) => status === 'busy');
    await this.#do('retry-outbound-call', { outboundId: busy.id });
    const unwanted = await this.#call(agentId, phones.talks);
    await this.#do('cancel-outbound-call', { outboundId: unwanted.id });
    await this.#settled(`parlance://get_call_log/${callId}`, ({ status }) => status === 'completed');
    await this.#do('delete-call-log', { callId });
    await this.#do('delete-outbound-call', { outboundId: talk.id });
  }

  async #campaign(agentId: string): Promise<void> {
    const contentType = 'text/csv';
    const place = await this.#do('get-batch-upload-url', { fileName: 'people.csv', contentType });
    await upload(place, contentType, `phone_number\n${phones.isBusy}\n`);
    const { id: campaignId } = await this.#do('create-batch-campaign', {
      ...{ name: 'Later', agentId, fromNumber: this.#ground.fromNumber },
      ...{ sourceFileKey: place.sourceFileKey, sourceFileName: 'people.csv' },
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const address = `parlance://get_batch_campaign/${campaignId}`;
    await this.#settled(address, ({ status }) => status === 'scheduled');
    await this.#do('cancel-batch-campaign', { campaignId });
    await this.#settled(address, ({ status }) => status === 'cancelled');
  }

  async #knowledge(agentId: string): Promise<void> {
    const contentType = 'text/markdown';
    const place = await this.#do('get-knowledge-upload-url', { fileName: 'hours.md', contentType });
    await upload(place, contentType, '# Hours\n\nWe open at nine.\n');
    const sources = [{ type: 'file', fileKey: place.fileKey, fileName: 'hours.md' }];
    const made = await this.#do('create-knowledge-sources', { agentId, sources });
    const { id: kbId } = Object(made[0]);
    await this.#settled('parlance://list_knowledge_sources', (all) => Object(all[0]).status === 'ready');
    await this.#do('update-knowledge-source', { kbId, name: 'Opening hours' });
    await this.#do('delete-knowledge-source', { kbId });
  }

  async #toolsAndSecrets(agentId: string): Promise<void> {
    const { id: secretId } = await this.#do('create-secret', { name: 'SHOP_TOKEN', value: 'of the shop' });
    const request = { method: 'GET', url: 'https://example.com/' };
    const { id: toolId } = await this.#do('create-tool', { name: 'shop', description: 'Asks.', request });
    await this.#do('update-tool', { toolId, description: 'Asks the shop.' });
    await this.#do('attach-tool-to-agent', { toolId, agentId });
    await this.#do('detach-tool-from-agent', { toolId, agentId });
    await this.#do('delete-tool', { toolId });
    await this.#do('delete-secret', { secretId });
  }

  async #widgets(agentId: string): Promise<void> {
    const { id: widgetId } = await this.#do('create-agent-widget', { agentId, name: 'Shop' });
    await this.#do('update-agent-widget', { widgetId, name: 'The shop' });
    await this.#do('delete-agent-widget', { widgetId });
  }

  async #mcp(agentId: string): Promise<void> {
    const server = { name: 'Echo', url: this.#ground.mcpServerUrl };
    const { id: mcpConnectionId } = await this.#do('connect-mcp-server', server);
    await this.#do('refresh-mcp-connection', { mcpConnectionId });
    await this.#do('attach-mcp-to-agent', { mcpConnectionId, agentId });
    const echo = { mcpConnectionId, toolName: 'echo', arguments: { text: 'good day' } };
    const { content } = await this.#do('execute-mcp-tool', echo);
    if (!JSON.stringify(content).includes('good day')) throw new Error('the tool did not echo');
    await this.#do('detach-mcp-from-agent', { mcpConnectionId, agentId });
    await this.#do('disconnect-mcp-server', { mcpConnectionId });
  }
}

/** @returns the names of the tools that were called; @throws Error at the first that fails */
export const doEveryTool = async (client: Driver, ground: Ground): Promise<ReadonlySet<string>> => {
  const every = new EveryTool(client, ground);
  await every.run();
  return every.done;
};
