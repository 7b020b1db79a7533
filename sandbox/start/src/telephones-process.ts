// Child process of the telephones: their audio keeps time beside a busy platform. Its control lets a telephone call in, and
// tells all calls as the telephones saw them.
import { bearerGuard, listen } from '@parlance/fake-kit';
import { startTelephones } from '@parlance/telephones';
import express from 'express';
import { z } from 'zod';
import { CallIn, TelephonesPlace } from './telephones-place.js';

const place = TelephonesPlace.parse(JSON.parse(process.env.PARLANCE_TELEPHONES ?? ''));
const { sipAddress, token, controlPort, ...options } = place;
const telephones = await startTelephones(options);

const app = express();
app.disable('x-powered-by');
app.use('/sandbox', bearerGuard(token), express.json({ limit: '16mb' }));
app.post('/sandbox/inbound-calls', async ({ body }, response) => {
  const call = CallIn.safeParse(body);
  if (!call.success) {
    response.status(400).json({ error: z.prettifyError(call.error) });
    return;
  }
  const { from, to, talkSeconds, recording } = call.data;
  const talk = talkSeconds === undefined ? {} : { talkMs: talkSeconds * 1_000 };
  const voice = recording === undefined ? {} : { recording: Buffer.from(recording, 'base64') };
  response.status(201).json(await telephones.call({ from, to, sipAddress, ...talk, ...voice }));
});
app.get('/sandbox/calls', (_, response) => {
  response.json({ calls: telephones.calls() });
});
const control = await listen(app, { port: controlPort });

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await control.stop();
  await telephones.stop();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches the whole process group; the platform decides the order in which things stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => void stop());
