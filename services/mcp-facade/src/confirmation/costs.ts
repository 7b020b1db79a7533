// Previews of tools that cost money or act in the world: the affected people, and the most that the tools can cost.
import { contract, type Result } from '@parlance/contracts';
import type { Look } from './look.js';
import { counted, money, quoted } from './money.js';
import { type Preview, type Previewer, unpriced } from './preview.js';

type WorstCase = Result<(typeof contract)['spendWorstCase']>;

const agentCalled = async (look: Look, agentId: unknown): Promise<string> => {
  const agent = await look.agent(agentId);
  return agent === undefined ? String(agentId) : quoted(agent.name);
};

const oneCall = (look: Look, agentId: unknown, phoneNumber?: unknown): Promise<WorstCase | undefined> =>
  look.at(contract.spendWorstCase, { query: { agentId, phoneNumber } });

const minutes = (seconds: number): string => counted(Math.ceil(seconds / 60), 'minute');

/** One call, priced by its own worst case. */
const priced = (sentence: string, worst: WorstCase | undefined): Preview => {
  if (worst === undefined) return unpriced(sentence, 'Its price cannot be read with this credential.');
  const { worstCaseMicros, rateMicros, longestSeconds, currency } = worst;
  const most = `At most ${money(worstCaseMicros, currency)}: ${minutes(longestSeconds)} at ${money(rateMicros, currency)} each.`;
  return { summary: `${sentence} ${most}`, worstCaseMicros, currency };
};

const quickCall: Previewer = async (look, { agentId, phoneNumber, fromNumber }) => {
  const agent = await agentCalled(look, agentId);
  const worst = await oneCall(look, agentId, phoneNumber);
  return priced(`Calls ${phoneNumber} from ${fromNumber} now, with the agent ${agent}.`, worst);
};

const retryCall: Previewer = async (look, { outboundId }) => {
  const call = await look.at(contract.outboundCallsGet, { params: { outboundId } });
  if (call === undefined) return unpriced(`Makes the outbound call ${outboundId} once more.`);
  const { agentId, phoneNumber, fromNumber, attempt } = call;
  const agent = await agentCalled(look, agentId);
  const worst = await oneCall(look, agentId, phoneNumber);
  const sentence = `Calls ${phoneNumber} from ${fromNumber} once more, after ${counted(attempt, 'attempt')}, with the agent ${agent}.`;
  return priced(sentence, worst);
};

/** The money that may still be spent, by the limits of the operator; undefined where the caller may not read it. */
const roomLeft = async (look: Look) => {
  const spend = await look.at(contract.spendGet);
  if (spend === undefined) return undefined;
  const { limits, day, month } = spend;
  const left = (most: number | null, { spentMicros, reservedMicros }: typeof day): number | null =>
    most === null ? null : Math.max(0, most - spentMicros - reservedMicros);
  return { today: left(limits.dayMicros, day), thisMonth: left(limits.monthMicros, month) };
};

const budgetOf = (budget: unknown): number | null => {
  const most: unknown = Object(budget).maxCostMicros;
  return typeof most === 'number' ? most : null;
};

const attemptsOf = (retryPolicy: unknown): number => {
  const most: unknown = Object(retryPolicy).maxAttempts;
  return typeof most === 'number' ? most : 1;
};

const campaign: Previewer = async (look, given) => {
  const agent = await agentCalled(look, given.agentId);
  const [worst, room] = await Promise.all([oneCall(look, given.agentId), roomLeft(look)]);
  const start =
    typeof given.scheduledAt === 'string' ? `from ${given.scheduledAt} on` : 'as soon as the file is read';
  const tries = counted(attemptsOf(given.retryPolicy), 'attempt');
  const what = `Calls everybody in the file ${quoted(String(given.sourceFileName))} from ${given.fromNumber}, with the agent ${agent}, ${start}: the campaign ${quoted(String(given.name))}. Each recipient gets at most ${tries}. How many recipients there are is known once the file is read.`;
  const currency = worst?.currency ?? null;
  if (worst === undefined || currency === null)
    return unpriced(what, 'Its price cannot be read with this credential.');
  const each = `One call costs at most ${money(worst.worstCaseMicros, currency)}.`;
  const budget = budgetOf(given.budget);
  const bounds = [
    ...(budget === null ? [] : [{ micros: budget, why: 'the budget of the campaign' }]),
    ...(room?.thisMonth == null
      ? []
      : [{ micros: room.thisMonth, why: "what is left of this month's limit" }]),
  ].sort((a, b) => a.micros - b.micros);
  const [bound] = bounds;
  const all =
    bound === undefined
      ? 'No budget and no limit of the month bounds the whole.'
      : `All of it costs at most ${money(bound.micros, currency)} this month: ${bound.why}.`;
  const today = room?.today == null ? '' : ` ${money(room.today, currency)} of it today.`;
  return { summary: `${what} ${each} ${all}${today}`, worstCaseMicros: bound?.micros ?? null, currency };
};

const previewSession: Previewer = async (look, { agentId }) =>
  unpriced(
    `Opens a conversation in the browser with the agent ${await agentCalled(look, agentId)}.`,
    'No telephone rings. The models of the agent cost what their providers ask for.',
  );

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const createKnowledge: Previewer = async (look, { agentId, sources, urls }) => {
  const count = counted(lengthOf(sources) + lengthOf(urls), 'source');
  return unpriced(
    `Reads ${count} for the agent ${await agentCalled(look, agentId)}, which sends requests to the sites that are named.`,
    'Embeddings cost what their provider asks for, if one is configured.',
  );
};

const updateKnowledge: Previewer = async (look, { kbId, url }) => {
  const source = await look.among(contract.knowledgeList, kbId, 'KNOWLEDGE_SOURCE_NOT_FOUND');
  const name = source === undefined ? String(kbId) : quoted(source.name);
  return unpriced(
    `Changes the knowledge source ${name}${url === undefined ? '' : ` to ${quoted(String(url))}`}, and reads it again where its contents change.`,
    'Embeddings cost what their provider asks for, if one is configured.',
  );
};

const openEntrance = 'Visitors of its pages can then start conversations, which cost minutes.';

const createWidget: Previewer = async (look, { agentId, name }) =>
  unpriced(
    `Opens the widget ${quoted(String(name))} for the agent ${await agentCalled(look, agentId)}.`,
    openEntrance,
  );

const updateWidget: Previewer = async (look, { widgetId }) => {
  const widget = await look.at(contract.widgetsGet, { params: { widgetId } });
  return unpriced(
    `Changes the widget ${widget === undefined ? widgetId : quoted(widget.name)}.`,
    openEntrance,
  );
};

const executeTool: Previewer = async (look, { mcpConnectionId, toolName }) => {
  const connection = await look.among(contract.mcpConnections, mcpConnectionId, 'MCP_CONNECTION_NOT_FOUND');
  const server = connection === undefined ? String(mcpConnectionId) : quoted(connection.name);
  return unpriced(
    `Calls the tool ${quoted(String(toolName))} of the MCP server ${server} with the arguments of this request.`,
    'What it does and costs is known to that server alone.',
  );
};

/** The previews by the name of the tool. */
export const costs: Readonly<Record<string, Previewer>> = {
  'create-quick-outbound-call': quickCall,
  'retry-outbound-call': retryCall,
  'create-batch-campaign': campaign,
  'create-agent-preview-session': previewSession,
  'create-knowledge-sources': createKnowledge,
  'update-knowledge-source': updateKnowledge,
  'create-agent-widget': createWidget,
  'update-agent-widget': updateWidget,
  'execute-mcp-tool': executeTool,
};
