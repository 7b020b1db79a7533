// Child process that holds the services. It ends when the platform does, however the platform ends.
import { once } from 'node:events';
import * as agentsConfig from '@parlance/agents-config';
import * as callsLogs from '@parlance/calls-logs';
import { loadEnv, StartRefusal } from '@parlance/config';
import * as knowledge from '@parlance/knowledge';
import * as mcpFacade from '@parlance/mcp-facade';
import * as mcpHub from '@parlance/mcp-hub';
import * as outboundDialer from '@parlance/outbound-dialer';
import * as telephonyNumbers from '@parlance/telephony-numbers';
import * as toolsSecrets from '@parlance/tools-secrets';
import * as widgets from '@parlance/widgets';
import { ServicesEnvironment } from './services.js';

// Without its platform the process has no work, and the engines are going away.
process.once('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);

const [instructions] = await once(process, 'message');
const environment = ServicesEnvironment.parse(instructions);
const {
  agentsConfig: agents,
  callsLogs: calls,
  outboundDialer: dialer,
  telephonyNumbers: numbers,
  knowledge: documents,
  toolsSecrets: tools,
  mcpFacade: facade,
  mcpHub: hub,
  widgets: doors,
} = environment;
const start = () =>
  Promise.all([
    agents && agentsConfig.start(loadEnv(agentsConfig.Env, agents)),
    calls && callsLogs.start(loadEnv(callsLogs.Env, calls)),
    dialer && outboundDialer.start(loadEnv(outboundDialer.Env, dialer)),
    numbers && telephonyNumbers.start(loadEnv(telephonyNumbers.Env, numbers)),
    documents && knowledge.start(loadEnv(knowledge.Env, documents)),
    tools && toolsSecrets.start(loadEnv(toolsSecrets.Env, tools)),
    facade && mcpFacade.start(loadEnv(mcpFacade.Env, facade)),
    hub && mcpHub.start(loadEnv(mcpHub.Env, hub)),
    doors && widgets.start(loadEnv(widgets.Env, doors)),
  ]);

/** A refusal is told to the platform, which tells it to people. */
const startOrRefuse = async () => {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    await new Promise((resolve) => process.send?.({ refusal: error.message }, resolve));
    return process.exit(1);
  }
};
const running = await startOrRefuse();
process.once('SIGTERM', () => {
  Promise.all(running.map((service) => service?.stop())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.send?.('ready');
