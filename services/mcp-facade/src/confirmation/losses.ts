// Previews of tools that end or delete something: they name the losses.
import { contract } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { counted, quoted } from './money.js';
import { free, type Previewer } from './preview.js';

const forEver = 'This cannot be undone.';

const deleteAgent: Previewer = async (look, { agentId }) => {
  const agent = await look.agent(agentId);
  if (agent === undefined) return free(`Deletes the agent ${agentId}.`, forEver);
  const { counts, phoneNumbers } = agent;
  const lost = [
    [counts.knowledgeSources, 'knowledge source'],
    [counts.tools, 'attached tool'],
    [counts.widgets, 'widget'],
    [counts.mcpConnections, 'attached MCP server'],
  ] as const;
  const named = lost.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
  const numbers =
    phoneNumbers.length === 0
      ? 'No number leads to it.'
      : `No agent answers ${phoneNumbers.map(({ phoneNumber }) => phoneNumber).join(', ')} any more.`;
  return free(
    `Deletes the agent ${quoted(agent.name)}, with its configuration${named.length > 0 ? `, ${named.join(', ')}` : ''}.`,
    numbers,
    forEver,
  );
};

const endLiveCall: Previewer = async (look, { roomName }) => {
  const live = await look.at(contract.callsLive);
  const call = live?.find((each) => each.roomName === roomName);
  if (live !== undefined && call === undefined) throw new AppError('LIVE_CALL_NOT_FOUND');
  if (call === undefined) return free(`Ends the live call in the room ${quoted(String(roomName))}.`);
  const parties = [call.fromNumber, call.toNumber].filter((number) => number !== null);
  return free(
    `Ends the live call of the agent ${quoted(call.agentName)}${parties.length > 0 ? ` (${parties.join(' to ')})` : ''}.`,
    'The person on the phone is hung up on.',
  );
};

const deleteCallLog: Previewer = async (look, { callId }) => {
  const call = await look.at(contract.callsGet, { params: { callId } });
  if (call === undefined)
    return free(`Deletes the call ${callId} with its transcript and recording.`, forEver);
  const duration =
    call.durationSeconds === null
      ? 'which nobody answered'
      : `${Math.round(call.durationSeconds)} seconds long`;
  return free(
    `Deletes the call of ${call.startedAt} with the agent ${quoted(call.agentName)}, ${duration}, with its transcript${call.recording.available ? ' and its recording' : ''}.`,
    forEver,
  );
};

const deleteKnowledge: Previewer = async (look, { kbId }) => {
  const source = await look.among(contract.knowledgeList, kbId, 'KNOWLEDGE_SOURCE_NOT_FOUND');
  return free(
    source === undefined
      ? `Deletes the knowledge source ${kbId}.`
      : `Deletes the knowledge source ${quoted(source.name)}; its agent answers without it from now on.`,
    forEver,
  );
};

const deleteTool: Previewer = async (look, { toolId }) => {
  const tool = await look.among(contract.toolsList, toolId, 'TOOL_NOT_FOUND');
  return free(
    tool === undefined
      ? `Deletes the tool ${toolId}.`
      : `Deletes the tool ${quoted(tool.name)} and takes it away from ${counted(tool.agentIds.length, 'agent')}.`,
    forEver,
  );
};

const detachTool: Previewer = async (look, { toolId, agentId }) => {
  // One after the other, so that of two wrong ids the answer always names the same one.
  const tool = await look.among(contract.toolsList, toolId, 'TOOL_NOT_FOUND');
  const agent = await look.agent(agentId);
  return free(
    `Takes the tool ${tool === undefined ? toolId : quoted(tool.name)} away from the agent ${agent === undefined ? agentId : quoted(agent.name)}.`,
    'Its calls go on without the tool.',
  );
};

const deleteSecret: Previewer = async (look, { secretId }) => {
  const secret = await look.among(contract.secretsList, secretId, 'SECRET_NOT_FOUND');
  return free(
    secret === undefined
      ? `Deletes the secret ${secretId}.`
      : `Deletes the secret ${quoted(secret.name)}, which ${counted(secret.usedBy.length, 'resource')} refer to.`,
    forEver,
  );
};

const cancelCampaign: Previewer = async (look, { campaignId }) => {
  const campaign = await look.at(contract.outboundCallsGetBatch, { params: { campaignId } });
  if (campaign === undefined) return free(`Cancels the campaign ${campaignId}.`, forEver);
  const { total, pending, queued, inProgress } = campaign.progress;
  return free(
    `Cancels the campaign ${quoted(campaign.name)}, which is ${campaign.status}.`,
    `Of its ${counted(total, 'recipient')}, ${pending + queued} are not called any more; ${counted(inProgress, 'call')} in progress.`,
    forEver,
  );
};

const cancelCall: Previewer = async (look, { outboundId }) => {
  const call = await look.at(contract.outboundCallsGet, { params: { outboundId } });
  return free(
    call === undefined
      ? `Cancels the outbound call ${outboundId}.`
      : `Cancels the outbound call to ${call.phoneNumber}, which is ${call.status}.`,
    'It is not tried again.',
  );
};

const deleteOutboundCall: Previewer = async (look, { outboundId }) => {
  const call = await look.at(contract.outboundCallsGet, { params: { outboundId } });
  return free(
    call === undefined
      ? `Deletes the outbound call ${outboundId}.`
      : `Deletes the outbound call to ${call.phoneNumber}, with the transcripts and recordings of ${counted(call.attempt, 'attempt')}.`,
    forEver,
  );
};

const deleteWidget: Previewer = async (look, { widgetId }) => {
  const widget = await look.at(contract.widgetsGet, { params: { widgetId } });
  return free(
    `Deletes the widget ${widget === undefined ? widgetId : quoted(widget.name)}.`,
    'Pages that embed it show nothing any more.',
    forEver,
  );
};

const disconnectMcp: Previewer = async (look, { mcpConnectionId }) => {
  const connection = await look.among(contract.mcpConnections, mcpConnectionId, 'MCP_CONNECTION_NOT_FOUND');
  return free(
    connection === undefined
      ? `Disconnects the MCP server ${mcpConnectionId}.`
      : `Disconnects the MCP server ${quoted(connection.name)}; ${counted(connection.agentIds.length, 'agent')} lose its ${counted(connection.tools.length, 'tool')}.`,
    'Its credentials have to be given again.',
  );
};

const detachMcp: Previewer = async (look, { mcpConnectionId, agentId }) => {
  const connection = await look.among(contract.mcpConnections, mcpConnectionId, 'MCP_CONNECTION_NOT_FOUND');
  const agent = await look.agent(agentId);
  return free(
    `Takes the MCP server ${connection === undefined ? mcpConnectionId : quoted(connection.name)} away from the agent ${agent === undefined ? agentId : quoted(agent.name)}.`,
  );
};

/** The previews by the name of the tool. */
export const losses: Readonly<Record<string, Previewer>> = {
  'delete-agent': deleteAgent,
  'end-live-call': endLiveCall,
  'delete-call-log': deleteCallLog,
  'delete-knowledge-source': deleteKnowledge,
  'delete-tool': deleteTool,
  'detach-tool-from-agent': detachTool,
  'delete-secret': deleteSecret,
  'cancel-batch-campaign': cancelCampaign,
  'cancel-outbound-call': cancelCall,
  'delete-outbound-call': deleteOutboundCall,
  'delete-agent-widget': deleteWidget,
  'disconnect-mcp-server': disconnectMcp,
  'detach-mcp-from-agent': detachMcp,
};
