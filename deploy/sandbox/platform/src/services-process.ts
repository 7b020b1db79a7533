// Child process that holds the services. It ends when the platform does, however the platform ends.
import { once } from 'node:events';
import * as agentsConfig from '@parlance/agents-config';
import * as callsLogs from '@parlance/calls-logs';
import { loadEnv } from '@parlance/config';
import * as outboundDialer from '@parlance/outbound-dialer';
import * as telephonyNumbers from '@parlance/telephony-numbers';
import { ServicesEnvironment } from './services.js';

// Without its platform there is nobody to work for, and the engines are going away.
process.once('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);

const [instructions] = await once(process, 'message');
const environment = ServicesEnvironment.parse(instructions);
const running = await Promise.all([
  agentsConfig.start(loadEnv(agentsConfig.Env, environment.agentsConfig)),
  callsLogs.start(loadEnv(callsLogs.Env, environment.callsLogs)),
  outboundDialer.start(loadEnv(outboundDialer.Env, environment.outboundDialer)),
  telephonyNumbers.start(loadEnv(telephonyNumbers.Env, environment.telephonyNumbers)),
]);
process.once('SIGTERM', () => {
  Promise.all(running.map((service) => service.stop())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.send?.('ready');
