// The usual start of the gateway's integration tests: one gateway, one NATS connection, one person.
import type { Secret } from '@parlance/config';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { type Person, TestGateway } from './test-gateway.js';

/** The part of the test engines that is used here; only tests may know where they come from. */
interface Engines {
  databaseFor(service: string): Promise<{ readonly url: Secret }>;
  readonly natsUrl: string;
  stop(): Promise<void>;
}

export interface Fixture {
  readonly gateway: TestGateway;
  readonly nats: NatsConnection;
  readonly person: Person;
  readonly postgresUrl: Secret;
  stop(): Promise<void>;
}

export const startFixture = async (
  engines: Engines,
  variables: Readonly<Record<string, string>> = {},
): Promise<Fixture> => {
  const { url: postgresUrl } = await engines.databaseFor('gateway');
  const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  const gateway = await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl, variables });
  return {
    gateway,
    nats,
    postgresUrl,
    person: await gateway.signUp(),
    stop: async () => {
      await gateway.stop();
      await nats.close();
      await engines.stop();
    },
  };
};
