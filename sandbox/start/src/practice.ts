// A system of a customer, for tools to ask: the appointments of a medical practice. Each request is in the ledger before
// it is answered.
import { bearerGuard, type Ledger, type Listening, listen } from '@parlance/fake-kit';
import express from 'express';
import { z } from 'zod';

export interface PracticeOptions {
  readonly port: number;
  /** The credential of the practice's interface. */
  readonly token: string;
  readonly ledger: Pick<Ledger, 'write'>;
}

const Asked = z.strictObject({ name: z.string().min(1), doctor: z.string().min(1) });
/**
 * Serves `GET /appointments?name=&doctor=` on loopback, with the token as bearer token. The header `x-call-id` names
 * the call of the tool. A request without it (a person who tries the tool out) is not in the ledger.
 */
export const startPractice = ({ port, token, ledger }: PracticeOptions): Promise<Listening> => {
  const app = express();
  app.disable('x-powered-by');
  app.get('/appointments', bearerGuard(token), async (request, response) => {
    const asked = Asked.safeParse(request.query);
    if (!asked.success) return void response.status(400).json({ error: 'name and doctor are needed' });
    const callId = request.get('x-call-id');
    if (callId) await ledger.write({ kind: 'lookup', at: new Date().toISOString(), callId });
    // Short, because an agent on real media reads it out.
    response.json({ status: 'booked', doctor: asked.data.doctor });
  });
  app.use((_request, response) => void response.status(404).json({ error: 'there is no such page' }));
  return listen(app, { port });
};
