// Agents with their parts: configuration, numbers, tools, secrets, knowledge, widgets and MCP servers.
import { eventually } from '@parlance/fixtures';
import type { Built, Ground, Office } from './ground.js';
import type { Data, Parts } from './recorder.js';

const hours = '# Hours\n\nWe open at nine and close at five, from Monday to Friday.\n';
const page = 'https://shop.example.org';
const modelName = 'shop-llm';

class Building {
  readonly #ground: Ground;
  readonly #office: Office;

  constructor(ground: Ground, office: Office) {
    this.#ground = ground;
    this.#office = office;
  }

  do(id: string, parts: Parts = {}, caller = this.#office.key): Promise<Data> {
    return this.#ground.recorder.ask(id, caller, parts);
  }

  async walk(): Promise<{ readonly built: Built; readonly takeDown: () => Promise<void> }> {
    const agentId = await this.#agent();
    const number = await this.#number(agentId);
    const { toolId, toolName, secretId } = await this.#tools(agentId);
    const modelVersion = await this.#models(agentId, secretId);
    const kbId = await this.#knowledge(agentId);
    const widgetId = await this.#widgets(agentId);
    await this.#mcp(agentId);
    await this.#organization(agentId);
    const takeDown = async () => {
      const params = { toolId, agentId };
      await this.do('tools.detach', { params });
      await this.do('tools.delete', { params: { toolId } });
      await this.do('models.delete', { params: { modelName } });
      await this.do('secrets.delete', { params: { secretId } });
      await this.do('knowledge.delete', { params: { kbId } });
      await this.do('widgets.delete', { params: { widgetId } });
      await this.do('numbers.release', { params: { phId: number.id } }, this.#office.person);
      const other = await this.do('agents.create', {
        body: { name: 'Another', isActive: false, templateId: null },
      });
      await this.do('agents.delete', { params: { agentId: String(other.id) } });
    };
    return {
      built: { agentId, fromNumber: number.phoneNumber, toolId, toolName, modelVersion },
      takeDown,
    };
  }

  async #agent(): Promise<string> {
    const body = { name: 'Front desk', isActive: true, templateId: 'business' };
    const agentId = String((await this.do('agents.create', { body })).id);
    const params = { agentId };
    const { defaults } = await this.do('agents.voiceCatalog');
    const { url } = this.#ground.customer;
    const configuration = {
      ...Object(defaults),
      firstMessage: 'Hi {{name}}, this is the front desk.',
      systemPrompt: 'You are the friendly front desk of a dental practice.',
      variables: { name: 'there' },
      timezone: 'Europe/Berlin',
      initiation_webhook: { url: `${url}/initiation` },
      post_call_webhook: {
        url: `${url}/calls`,
        events: ['call.started', 'call.ended', 'call.failed', 'call.analyzed'],
      },
    };
    await this.do('agents.saveConfig', { params, body: configuration });
    await this.do('agents.saveConfig', { params, body: { ...configuration, firstMessage: 'Good day.' } });
    await this.do('agents.getConfig', { params });
    await this.do('agents.listConfigVersions', { params });
    // The first version is the one of the template, without webhooks.
    const versions = { params: { agentId, version: '2' } };
    await this.do('agents.getConfigVersion', versions);
    const { version } = await this.do('agents.getConfig', { params });
    await this.do('agents.restoreConfigVersion', { ...versions, body: { expectedVersion: version } });
    await this.do('agents.update', { params, body: { name: 'Reception' } });
    await this.do('agents.list');
    return agentId;
  }

  async #number(agentId: string): Promise<{ readonly id: string; readonly phoneNumber: string }> {
    const { person } = this.#office;
    const query = { provider: 'TWILIO', country: 'US', areaCode: '415', limit: '2' };
    const [offer] = Object.values(await this.do('numbers.search', { query }));
    const { phoneNumber, quoteId } = Object(offer);
    const bought = await this.do(
      'numbers.buy',
      { body: { provider: 'TWILIO', phoneNumber, quoteId } },
      person,
    );
    await this.do('numbers.assign', { params: { phId: String(bought.id) }, body: { agentId } }, person);
    await this.do('numbers.list');
    return { id: String(bought.id), phoneNumber };
  }

  async #tools(agentId: string) {
    const secret = await this.do('secrets.create', {
      body: { name: 'SHOP_TOKEN', value: 'the token of the shop' },
    });
    const secretId = String(secret.id);
    await this.do('secrets.list');
    await this.do('secrets.update', {
      params: { secretId },
      body: { allowedOrigins: ['https://api.example.com'] },
    });
    await this.do('secrets.rotate', { params: { secretId }, body: { value: 'the next token of the shop' } });
    const toolName = 'order_status';
    const made = await this.do('tools.create', {
      body: {
        name: toolName,
        description: 'Tells how far an order is.',
        request: {
          method: 'GET',
          url: `${this.#ground.customer.url}/orders/{orderId}`,
          headers: { Authorization: 'Bearer {{secrets.SHOP_TOKEN}}' },
        },
        parameters: [
          {
            name: 'orderId',
            in: 'path',
            type: 'string',
            source: 'model',
            required: true,
            description: 'On the receipt',
          },
        ],
      },
    });
    const toolId = String(made.id);
    await this.do('tools.update', { params: { toolId }, body: { description: 'Tells where an order is.' } });
    await this.do('tools.test', { params: { toolId }, body: { arguments: { orderId: 'A-1001' } } });
    await this.do('tools.attach', { params: { toolId, agentId } });
    await this.do('tools.list');
    await this.do('tools.listForAgent', { params: { agentId } });
    return { toolId, toolName, secretId };
  }

  /** @returns a version of the agent's configuration that has the model; the version in force has it not */
  async #models(agentId: string, secretId: string): Promise<number> {
    const params = { modelName };
    const { id } = await this.do('models.create', {
      body: {
        id: `custom/${modelName}`,
        kind: 'llm',
        name: 'Our own model',
        baseUrl: `${this.#ground.customer.url}/v1`,
        model: 'llama3.3',
        secretId,
        prices: { perMillionInputTokens: 100_000, perMillionOutputTokens: 400_000 },
      },
    });
    const modelId = String(id);
    await this.do('models.update', { params, body: { firstChunkMs: 2_500 } });
    await this.do('models.list');
    await this.do('models.get', { params });
    await this.do('models.test', { body: { modelId } });
    const ofAgent = { params: { agentId } };
    const before = await this.do('agents.getConfig', ofAgent);
    const {
      agentId: _,
      version: _version,
      createdAt: _created,
      updatedAt: _updated,
      ...configuration
    } = before;
    const { version } = await this.do('agents.saveConfig', {
      ...ofAgent,
      body: { ...configuration, llmModel: modelId },
    });
    await this.do('agents.saveConfig', { ...ofAgent, body: configuration });
    return Number(version);
  }

  async #knowledge(agentId: string): Promise<string> {
    const file = { fileName: 'hours.md', contentType: 'text/markdown' };
    const place = await this.do('knowledge.uploadUrl', { query: file });
    const headers = { 'content-type': file.contentType };
    await fetch(String(place.uploadUrl), { method: 'PUT', headers, body: hours });
    const sources = [{ type: 'file', fileKey: place.fileKey, fileName: file.fileName }];
    const [source] = Object.values(await this.do('knowledge.create', { body: { agentId, sources } }));
    const kbId = String(Object(source).id);
    await eventually(
      async () => {
        const again = { ...this.#office.key };
        const response = await fetch(`${this.#ground.url}/api/v1/kb?agentId=${agentId}`, { headers: again });
        const text = await response.text();
        if (!text.includes('"status":"ready"')) throw new Error(`the source is not read yet: ${text}`);
      },
      { timeoutMs: 60_000 },
    );
    await this.do('knowledge.list', { query: { agentId } });
    await this.do('knowledge.update', { params: { kbId }, body: { name: 'Opening hours' } });
    await this.do('knowledge.search', { body: { agentId, query: 'When do you open?' } });
    await this.do('knowledge.refresh', { params: { kbId } });
    return kbId;
  }

  async #widgets(agentId: string): Promise<string> {
    const body = { name: 'Shop', allowedOrigins: [page], modes: ['voice', 'text'] };
    const made = await this.do('widgets.create', { params: { agentId }, body });
    const params = { widgetId: String(made.id) };
    await this.do('widgets.listForAgent', { params: { agentId } });
    await this.do('widgets.get', { params });
    await this.do('widgets.update', { params, body: { name: 'The shop' } });
    const visitor = { origin: page };
    await this.do('widgets.publicConfig', { params }, visitor);
    const session = await this.do('widgets.startSession', { params, body: { mode: 'text' } }, visitor);
    const inSession = { params: { ...params, sessionId: String(session.sessionId) } };
    const { endToken } = session;
    await this.do(
      'widgets.sendMessage',
      { ...inSession, body: { endToken, text: 'When do you open?' } },
      visitor,
    );
    await this.do('widgets.endSession', { ...inSession, body: { endToken } }, visitor);
    return params.widgetId;
  }

  async #mcp(agentId: string): Promise<void> {
    await this.do('mcp.catalog');
    const body = { name: 'Echo', url: this.#ground.mcpServerUrl };
    const made = await this.do('mcp.connect', { body });
    const params = { mcpConnectionId: String(made.id), agentId, toolName: 'echo' };
    const refreshed = await this.do('mcp.refresh', { params });
    await this.do('mcp.connections');
    await this.do('mcp.update', { params, body: { approvalPolicy: 'per_tool' } });
    const [tool] = Object.values(Object(refreshed.tools));
    await this.do('mcp.approve', { params, body: { hash: Object(tool).hash } });
    await this.do('mcp.attach', { params });
    await this.do('mcp.listForAgent', { params });
    await this.do('mcp.execute', { params, body: { arguments: { text: 'good day' } } });
    await this.do('mcp.detach', { params });
    await this.do('mcp.disconnect', { params });
  }

  async #organization(agentId: string): Promise<void> {
    const { person } = this.#office;
    await this.do('caller.get');
    await this.do('settings.get', {}, person);
    await this.do('settings.update', { body: { timezone: 'Europe/Berlin' } }, person);
    await this.do('storage.get', {}, person);
    const listed = await this.do('suppressions.create', { body: { phoneNumbers: ['+14155550199'] } });
    await this.do('suppressions.list');
    await this.do('suppressions.delete', { params: { suppressionId: String(Object(listed[0]).id) } });
    await this.do('suppressions.history', { query: { phoneNumber: '+14155550199' } });
    const params = { phoneNumber: '+14155550197' };
    const { confirmation } = await this.do('people.delete', { params });
    const { erasure } = await this.do('people.delete', {
      params,
      query: { confirmation: String(confirmation) },
    });
    await this.do('people.erasure', { params: { erasureId: String(Object(erasure).id) } });
    await this.do('spend.worstCase', { query: { agentId, phoneNumber: '+14155550100' } });
  }
}

/** @returns the objects that calls need, and a function that gives them back afterwards */
export const walkBuilding = (ground: Ground, office: Office) => new Building(ground, office).walk();
