// A customer's system for tools: `/quick` answers at once, and `/hangs` never.
import { createServer } from 'node:http';

export interface CustomerSystem {
  readonly url: string;
  /** Requests that hang at this moment. */
  hanging(): number;
  stop(): void;
}

export const startCustomerSystem = async (): Promise<CustomerSystem> => {
  let hanging = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (!request.url?.startsWith('/hangs')) {
      response.setHeader('content-type', 'application/json').end('{"state":"sent"}');
      return;
    }
    hanging += 1;
    response.once('close', () => {
      hanging -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    hanging: () => hanging,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
