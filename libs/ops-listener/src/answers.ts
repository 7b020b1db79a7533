// The answers of the ops listener, by path. It asks for no credentials, so no answer holds a secret or an id,
// and only the doctor's names hosts.
import type { RequestListener, ServerResponse } from 'node:http';
import { contentTypes, type TextFormat } from '@parlance/metrics';

export interface Answers {
  /** The reasons why the process has not started yet; empty from the moment at which it serves. */
  readonly startupReasons: () => readonly string[];
  /** The reasons why the process cannot do its core work now; empty while it can. */
  readonly readyReasons: () => readonly string[];
  /** Text of the metrics; undefined where nothing is measured. */
  readonly metrics: ((format: TextFormat) => Promise<string>) | undefined;
  /** The report of the doctor, looked from where this process stands. It names hosts, and no secret. */
  readonly doctor: () => Promise<object>;
}

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
};

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`);

const sendReasons = (response: ServerResponse, good: string, reasons: readonly string[]): void =>
  reasons.length === 0
    ? sendJson(response, 200, { status: good })
    : sendJson(response, 503, { status: `not ${good}`, reasons });

const formatFor = (accept: string | undefined): TextFormat =>
  accept?.includes('application/openmetrics-text') === true ? 'openMetrics' : 'prometheus';

const sendMetrics = async (
  response: ServerResponse,
  accept: string | undefined,
  metrics: Answers['metrics'],
): Promise<void> => {
  if (metrics === undefined) return sendJson(response, 404, { status: 'nothing is measured here' });
  const format = formatFor(accept);
  try {
    send(response, 200, contentTypes[format], await metrics(format));
  } catch {
    sendJson(response, 503, { status: 'the metrics could not be collected' });
  }
};

const sendReport = async (response: ServerResponse, doctor: Answers['doctor']): Promise<void> => {
  try {
    sendJson(response, 200, await doctor());
  } catch {
    sendJson(response, 503, { status: 'the doctor could not look' });
  }
};

/** Answers GET on five paths, and nothing else. */
export const answering =
  ({ startupReasons, readyReasons, metrics, doctor }: Answers): RequestListener =>
  ({ method, url = '', headers }, response) => {
    if (method !== 'GET') {
      response.setHeader('Allow', 'GET');
      return sendJson(response, 405, { status: 'only GET is answered' });
    }
    switch (url.split('?', 1)[0]) {
      // An answer shows that the event loop turns, which is all that a restart could mend.
      case '/livez':
        return sendJson(response, 200, { status: 'alive' });
      case '/startupz':
        return sendReasons(response, 'started', startupReasons());
      case '/readyz':
        return sendReasons(response, 'ready', [...startupReasons(), ...readyReasons()]);
      case '/metrics':
        return void sendMetrics(response, headers.accept, metrics);
      case '/doctor':
        return void sendReport(response, doctor);
      default:
        return sendJson(response, 404, {
          status: 'there is /livez, /readyz, /startupz, /metrics and /doctor',
        });
    }
  };
