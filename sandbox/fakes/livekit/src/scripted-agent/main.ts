// The scripted agent as a child process of the platform, which reads its first message as "ready".
import { startScriptedAgent } from './agent.js';

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const agent = startScriptedAgent({
  liveKitUrl: required('LIVEKIT_URL'),
  apiKey: required('LIVEKIT_API_KEY'),
  apiSecret: required('LIVEKIT_API_SECRET'),
  internalKey: required('INTERNAL_API_KEY'),
  platformUrl: required('PLATFORM_URL'),
  agentName: required('VOICE_AGENT_NAME'),
});

const stop = (): void => {
  agent.stop();
  process.exit(0);
};
process.on('SIGTERM', stop);
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', stop);

// A fault in one call must not end the others.
process.on('unhandledRejection', (fault) => {
  process.stderr.write(`${fault instanceof Error ? fault.stack : String(fault)}\n`);
});

await agent.registered;
process.send?.('ready');
