// A real LiveKit as it is installed. The server, its SIP service and Redis are of no use without each other. The
// telephones that it calls are SIPp's.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  findLiveKit,
  freePort,
  type LiveKitBinaries,
  type LiveKitServer,
  liveKitVersions,
  startLiveKitServer,
} from '@parlance/engines';
import { findTelephones, startTelephones } from '@parlance/telephones';
import type { Server, Started } from './real-engine.js';
import type { Variables } from './suites.js';

/** The suite leaves calls out where there is no telephone to call. */
const startPhones = async (directory: string): Promise<Started> => {
  if (findTelephones() === undefined) return { variables: {}, stop: async () => undefined };
  const ledgerFile = join(directory, 'ledger.jsonl');
  const { address, stop } = await startTelephones({
    dataDir: join(directory, 'telephones'),
    logFile: join(directory, 'sipp.log'),
    ledgerFile,
  });
  return { variables: { CONFORMANCE_SIP_ADDRESS: address, CONFORMANCE_SIP_LEDGER: ledgerFile }, stop };
};

const startServers = async (
  directory: string,
  binaries: LiveKitBinaries,
): Promise<{ readonly server: LiveKitServer; readonly variables: Variables }> => {
  const [port, apiKey, apiSecret] = [await freePort(), 'conformance', randomBytes(24).toString('hex')];
  const server = await startLiveKitServer({
    port,
    apiKey,
    apiSecret,
    binaries,
    dataDir: join(directory, 'data'),
    log: (program) => join(directory, `${program}.log`),
    // No test of the suite reads webhooks.
    webhookUrl: 'http://127.0.0.1:9',
  });
  const variables = {
    CONFORMANCE_LIVEKIT_URL: `http://127.0.0.1:${port}`,
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
    // Besides its URL: the tests of Redis kill programs of their own.
    CONFORMANCE_LIVEKIT_PROGRAMS: 'installed',
  };
  return { server, variables };
};

const start = async (directory: string, binaries: LiveKitBinaries): Promise<Started> => {
  const phones = await startPhones(directory);
  try {
    const { server, variables } = await startServers(directory, binaries);
    return {
      variables: { ...variables, ...phones.variables },
      stop: async () => {
        await server.stop();
        await phones.stop();
      },
    };
  } catch (error) {
    await phones.stop();
    throw error;
  }
};

const versionsOf = async (binaries: LiveKitBinaries): Promise<string> => {
  const { 'livekit-server': server, ...others } = await liveKitVersions(binaries);
  const beside = Object.entries(others).map(([program, version]) => `${program} ${version}`);
  return [server, ...beside, findTelephones() === undefined ? 'without sipp' : 'sipp'].join(', ');
};

export const liveKit = async (): Promise<Server | undefined> => {
  const binaries = findLiveKit();
  if (binaries === undefined) return undefined;
  return {
    name: 'livekit-server',
    version: await versionsOf(binaries),
    start: (directory) => start(directory, binaries),
  };
};
