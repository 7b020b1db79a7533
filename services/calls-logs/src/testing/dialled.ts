// For tests: an outbound call as the dialer announces it, with its room.
import { randomUUID } from 'node:crypto';

export const dialled = (organizationId: string) => {
  const [outboundCallId, attemptId, callId, agentId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ];
  const about = { outboundCallId, attemptId, callId };
  const roomName = `ob_${attemptId}`;
  const startedAt = new Date().toISOString();
  const started = {
    ...about,
    attempt: 1,
    roomName,
    agentId,
    agentName: 'Dialler',
    configVersion: 4,
    fromNumber: '+14155550100',
    toNumber: '+14155550101',
    provider: null,
    campaignId: null,
    dynamicVariables: { name: 'Ada' },
    metadata: {},
    startedAt,
  };
  const metadata = {
    ...{
      callId,
      organizationId,
      agentId,
      configVersion: 4,
      channel: 'phone',
      direction: 'outbound',
      outboundCallId,
    },
    fromNumber: started.fromNumber,
    toNumber: started.toNumber,
  };
  return { ...about, about, agentId, roomName, room: { name: roomName, metadata }, started };
};

/** The room of a call that came in. */
export const inboundRoom = (organizationId: string) => {
  const { callId, agentId, room } = dialled(organizationId);
  const metadata = { ...room.metadata, direction: 'inbound', outboundCallId: null };
  return { callId, agentId, room: { name: `in_${callId}`, metadata } };
};

export const agent = { identity: 'agent_1', kind: 'agent', attributes: {}, disconnectReason: null };
export const callee = { identity: 'pstn_1', kind: 'sip', attributes: {}, disconnectReason: null };
