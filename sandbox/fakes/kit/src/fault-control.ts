// The control of the fault switches: one HTTP listener for all engines of a process, behind a bearer token.
import type { Response } from 'express';
import { z } from 'zod';
import { bearerGuard } from './bearer.js';
import type { SwitchBoard } from './fault-switches.js';
import { type Listening, listen } from './http-listener.js';

const Setting = z.object({
  target: z.string(),
  mode: z.string(),
  times: z.number().int().optional(),
  ms: z.number().optional(),
  retryAfter: z.number().optional(),
});
const EngineSetting = Setting.extend({ engine: z.string() });

/** Sets a fault from a request's body; 200 with all targets, or 400 with the names of existing ones. */
export const applyFaultSetting = (switches: SwitchBoard, body: unknown, response: Response): void => {
  try {
    switches.set(Setting.parse(body));
    response.json({ targets: switches.list() });
  } catch (error) {
    response
      .status(400)
      .json({ error: error instanceof Error ? error.message : String(error), targets: switches.list() });
  }
};

export interface FaultControlOptions {
  readonly host?: string | undefined;
  /** A free one unless given. */
  readonly port?: number | undefined;
  readonly token: string;
  readonly engines: Readonly<Record<string, SwitchBoard>>;
}

export type FaultControl = Pick<Listening, 'url' | 'port' | 'stop'>;

/** `POST /faults` sets one, `GET /faults` lists all, `DELETE /faults` makes everything work again. */
export const startFaultControl = async (options: FaultControlOptions): Promise<FaultControl> => {
  // Loaded only by processes that serve a control: an event store has no other use for it.
  const { default: express } = await import('express');
  const engines = new Map(Object.entries(options.engines));
  const listed = () => Object.fromEntries([...engines].map(([name, switches]) => [name, switches.list()]));
  const app = express();
  app.disable('x-powered-by');
  app.use(bearerGuard(options.token));
  app.post('/faults', express.json(), (request, response) => {
    const setting = EngineSetting.safeParse(request.body);
    const switches = setting.success ? engines.get(setting.data.engine) : undefined;
    if (switches && setting.success) applyFaultSetting(switches, setting.data, response);
    else
      response.status(400).json({
        error: setting.success ? `no engine "${setting.data.engine}"` : z.prettifyError(setting.error),
        engines: listed(),
      });
  });
  app.get('/faults', (_, response) => {
    response.json({ engines: listed() });
  });
  app.delete('/faults', (_, response) => {
    for (const switches of engines.values()) switches.clear();
    response.json({ engines: listed() });
  });
  return listen(app, options);
};
