// The opponent of the platform: one Express app, one pg pool, the same queries, no identity, no validation.

import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import express from 'express';
import pg from 'pg';

const bareOrganization = 'bench-bare';
const columns = 'id, name, is_active, template_id, config_version, last_call_at, created_at, updated_at';

export const startBareHandler = async (databaseUrl: string, organizationId: string) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/agents', async (_request, response) => {
    const { rows } = await pool.query({
      name: 'list',
      text: `select ${columns} from agents where organization_id = $1 order by created_at desc, id desc limit 20`,
      values: [organizationId],
    });
    response.json({ success: true, message: 'Agents', data: rows });
  });
  app.post('/agents', express.json(), async (request, response) => {
    const { name, isActive } = request.body as { name: string; isActive: boolean };
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into agents (id, organization_id, name, is_active, created_at, updated_at)
             values ($1, $2, $3, $4, now(), now()) returning ${columns}`,
      values: [randomUUID(), bareOrganization, name, isActive],
    });
    response.status(201).json({ success: true, message: 'Agent created', data: rows[0] });
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
};

/** Starts the bare handler in a process of its own. */
export const forkBareHandler = async (databaseUrl: string, organizationId: string) => {
  const child = fork(fileURLToPath(new URL('./bare-handler-process.js', import.meta.url)), {
    env: { ...process.env, BENCH_DATABASE_URL: databaseUrl, BENCH_ORGANIZATION_ID: organizationId },
  });
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    pid: child.pid,
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
};

/** Deletes the agents that were made since `moment`, by the bare handler or in the organization. */
export const deleteAgentsSince = async (
  databaseUrl: string,
  organizationId: string,
  moment: Date,
): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('delete from agents where organization_id = any($1) and created_at > $2', [
    [bareOrganization, organizationId],
    moment,
  ]);
  await client.query('vacuum analyze agents');
  await client.end();
};
