// The services that a dialer asks, each with the simplest answer that lets it dial.
import { serviceRequests } from '@parlance/contracts';
import { serveOperation } from '@parlance/fixtures';
import type { NatsConnection } from 'nats';
import type { CallLog } from './call-log.js';

const settings = {
  timezone: 'UTC',
  maxConcurrentCalls: 10_000,
  inboundReserve: 0,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  allowedCountries: null,
  version: 1,
};

const numberId = '0198c0de-0000-7000-8000-00000000a001';

/** Answers for agents-config, telephony-numbers and calls-logs until the connection closes. */
export const playNeighbours = async (nats: NatsConnection, callLog: CallLog): Promise<void> => {
  await serveOperation(nats, serviceRequests.agentsForCall, ({ input }) => {
    const { agentId } = serviceRequests.agentsForCall.body.parse(input.body);
    return {
      data: {
        agentId,
        name: 'Ada',
        isActive: true,
        configVersion: 1,
        allowedOverrides: [],
        maxDurationSeconds: 3_600,
      },
    };
  });
  await serveOperation(nats, serviceRequests.agentsPlaceholders, () => ({ data: { placeholders: [] } }));
  await serveOperation(nats, serviceRequests.numbersForDialing, () => ({
    data: {
      number: { id: numberId, provider: 'TWILIO', providerNumberId: 'PN1', isoCountry: 'US' },
      countries: ['US'],
      goodForMs: 2_000,
    },
  }));
  await serveOperation(nats, serviceRequests.settingsOf, () => ({ data: settings }));
  await serveOperation(nats, serviceRequests.callsFacts, ({ input }) => {
    const { callIds } = serviceRequests.callsFacts.body.parse(input.body);
    return { data: [...callLog.facts(callIds)] };
  });
};
