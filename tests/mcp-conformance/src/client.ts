// The hub as the client that the public MCP conformance suite tests. The suite runs this program with the address of its server.
// The program uses that server through a running platform. docs/mcp.md has the command.
import { type Client, createClient } from '@parlance/client';
import type { McpConnection } from '@parlance/contracts';
import { z } from 'zod';
import { sampleArguments } from './sample-arguments.js';

const Environment = z.object({
  PARLANCE_URL: z.url(),
  /** The cookie of a person who is signed in there, because a person has to finish a login. */
  PARLANCE_COOKIE: z.string(),
  MCP_CONFORMANCE_SCENARIO: z.string(),
  MCP_CONFORMANCE_CONTEXT: z.string().default('{}'),
});
type Environment = z.infer<typeof Environment>;

/** The calls that some scenarios want. */
const Context = z.looseObject({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).default([]),
});

type Context = z.infer<typeof Context>;

const mostLogins = 3;

interface Person {
  readonly client: Client;
  readonly cookie: string;
}

const personOf = ({ PARLANCE_URL, PARLANCE_COOKIE: cookie }: Environment): Person => {
  const { origin } = new URL(PARLANCE_URL);
  return { client: createClient({ baseUrl: `${origin}/api/v1`, cookie, headers: { origin } }), cookie };
};

/** Opens the address as a browser would; the suite's authorization server agrees at once. */
const logIn = async ({ cookie }: Person, authorizationUrl: string): Promise<boolean> => {
  const asked = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = asked.headers.get('location');
  if (location === null) return false;
  const answer = await fetch(location, { headers: { cookie } });
  return answer.ok;
};

const authorizationUrlIn = (error: unknown): string | undefined =>
  z.object({ details: z.object({ authorizationUrl: z.string() }) }).safeParse(error).data?.details
    .authorizationUrl;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

class Run {
  readonly #person: Person;
  #logins = 0;

  constructor(person: Person) {
    this.#person = person;
  }

  async connect(
    url: string,
    isOAuth: boolean,
    { client_id, client_secret }: Context,
  ): Promise<McpConnection> {
    const auth = {
      type: isOAuth ? ('oauth2' as const) : ('none' as const),
      ...(isOAuth && client_id !== undefined && { clientId: client_id }),
      ...(isOAuth && client_secret !== undefined && { secretId: await this.#secret(client_secret) }),
    };
    const { data } = await this.#person.client.mcp.connect({ body: { name: 'Conformance', url, auth } });
    say(`${data.status} ${data.lastError ?? ''}`);
    if (!isOAuth || data.status === 'connected') return data;
    const params = { mcpConnectionId: data.id };
    for (let connection = data; ; connection = (await this.#person.client.mcp.refresh({ params })).data) {
      if (connection.status !== 'auth_required' || this.#logins >= mostLogins) return connection;
      const { authorizationUrl } = (await this.#person.client.mcp.authorize({ params })).data;
      await this.#logIn(authorizationUrl);
    }
  }

  /** Calls the tool, and logs in where the server asks for it. */
  async call(
    connection: McpConnection,
    toolName: string,
    args: Record<string, z.core.util.JSONType>,
  ): Promise<void> {
    const params = { mcpConnectionId: connection.id, toolName };
    for (;;) {
      try {
        const { data } = await this.#person.client.mcp.execute({ params, body: { arguments: args } });
        return say(`${toolName}: ${JSON.stringify(data).slice(0, 300)}`);
      } catch (error) {
        say(`${toolName}: ${String(error)}`);
        const authorizationUrl = authorizationUrlIn(error);
        if (authorizationUrl === undefined || this.#logins >= mostLogins) return;
        await this.#logIn(authorizationUrl);
      }
    }
  }

  async disconnect({ id: mcpConnectionId }: McpConnection): Promise<void> {
    await this.#person.client.mcp.disconnect({ params: { mcpConnectionId } });
  }

  async #secret(value: string): Promise<string> {
    const name = `CONFORMANCE_${Date.now()}_${process.pid}`;
    return (await this.#person.client.secrets.create({ body: { name, value } })).data.id;
  }

  async #logIn(authorizationUrl: string): Promise<void> {
    this.#logins += 1;
    say(`login: ${await logIn(this.#person, authorizationUrl)}`);
  }
}

const main = async (url: string): Promise<void> => {
  const environment = Environment.parse(process.env);
  const context = Context.parse(JSON.parse(environment.MCP_CONFORMANCE_CONTEXT));
  const { toolCalls } = context;
  const run = new Run(personOf(environment));
  const connection = await run.connect(
    url,
    environment.MCP_CONFORMANCE_SCENARIO.startsWith('auth/'),
    context,
  );
  const calls =
    toolCalls.length > 0
      ? toolCalls
      : connection.tools.map(({ name, inputSchema }) => ({ name, arguments: sampleArguments(inputSchema) }));
  for (const { name, arguments: args } of calls) await run.call(connection, name, args);
  await run.disconnect(connection);
};

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('the address of a server is needed');
await main(url);
