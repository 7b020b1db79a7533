// FQDN connections: where calls to a number go, as names of SIP servers.
import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { type Connection, type Fqdn, newId } from './account.js';
import { type Context, callerOf, under } from './context.js';
import { notFound, TelnyxError, unprocessable } from './errors.js';
import { bodyOf, paged, queryOf } from './requests.js';

const settings = {
  active: z.boolean().optional(),
  anchorsite_override: z.string().optional(),
  transport_protocol: z.enum(['UDP', 'TCP', 'TLS']).optional(),
  inbound: z.record(z.string(), z.unknown()).optional(),
  outbound: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string()).optional(),
};
const NewConnection = z.strictObject({ connection_name: z.string().min(1), ...settings });
const ConnectionChange = z.strictObject({ connection_name: z.string().min(1).optional(), ...settings });
const ConnectionFilter = z.strictObject({
  connection_name: z.strictObject({ contains: z.string().optional() }).prefault({}),
  fqdn: z.string().optional(),
});

const fqdnFields = {
  fqdn: z.string().regex(/^[a-z0-9.-]+$/i, 'must be a name'),
  port: z.int().min(1).max(65_535).nullish(),
  dns_record_type: z.enum(['a', 'srv']),
};
const NewFqdn = z.strictObject({ connection_id: z.string(), ...fqdnFields });
const FqdnChange = NewFqdn.partial();
const FqdnFilter = z.strictObject({
  connection_id: z.string().optional(),
  fqdn: z.string().optional(),
  dns_record_type: z.string().optional(),
});

const defaults = {
  active: true,
  anchorsite_override: 'Latency',
  transport_protocol: 'UDP',
  inbound: { dnis_number_format: '+e164', ani_number_format: '+E.164' },
  outbound: {},
  tags: [],
};

const json =
  (recordType: string, base: object = {}) =>
  ({ id, settings: given, createdAt, updatedAt }: Connection): object => ({
    id,
    record_type: recordType,
    ...base,
    ...given,
    created_at: createdAt,
    updated_at: updatedAt,
  });
const connectionJson = json('fqdn_connection', defaults);
const fqdnJson = json('fqdn', { port: 5060 });

export const record = (account: string, given: Readonly<Record<string, unknown>>): Connection => {
  const now = new Date().toISOString();
  return { id: newId(), account, settings: given, createdAt: now, updatedAt: now };
};

export const changed = (old: Connection, change: Readonly<Record<string, unknown>>): Connection => ({
  ...old,
  settings: { ...old.settings, ...change },
  updatedAt: new Date().toISOString(),
});

export const own = <T extends Connection>(found: T | undefined, account: string): T => {
  if (found?.account !== account) throw notFound();
  return found;
};

const connections = (context: Context): Router => {
  const { accounts } = context;
  const { connections: all } = accounts;
  const router = Router();
  const at = (id: unknown, account: string): Connection => own(all.get(String(id)), account);

  const checkProfile = (outbound: Readonly<Record<string, unknown>> | undefined, account: string): void => {
    const id = outbound?.outbound_voice_profile_id;
    if (id && accounts.profiles.get(String(id))?.account !== account)
      throw unprocessable(
        '10017',
        'Associated resource does not exist',
        'There is no such outbound voice profile.',
        '/outbound/outbound_voice_profile_id',
      );
  };

  router.post('/fqdn_connections', async (request, response) => {
    const body = bodyOf(request, NewConnection);
    checkProfile(body.outbound, callerOf(response));
    const connection = record(callerOf(response), body);
    await all.set(connection.id, connection);
    response.status(201).json({ data: connectionJson(connection) });
  });
  router.get('/fqdn_connections', (request, response) => {
    const { filter, page } = queryOf(request, ConnectionFilter);
    const part = filter.connection_name.contains?.toLowerCase() ?? '';
    const withName = accounts.fqdns.values().filter(({ settings: { fqdn } }) => fqdn === filter.fqdn);
    const found = accounts
      .mine(all, callerOf(response))
      .filter(({ settings: { connection_name } }) => String(connection_name).toLowerCase().includes(part))
      .filter(
        ({ id }) => filter.fqdn === undefined || withName.some((fqdn) => fqdn.settings.connection_id === id),
      );
    response.json(paged(found, page, connectionJson));
  });
  router.get('/fqdn_connections/:id', ({ params }, response) => {
    response.json({ data: connectionJson(at(params.id, callerOf(response))) });
  });
  router.patch('/fqdn_connections/:id', async (request, response) => {
    const body = bodyOf(request, ConnectionChange);
    checkProfile(body.outbound, callerOf(response));
    const connection = changed(at(request.params.id, callerOf(response)), body);
    await all.set(connection.id, connection);
    response.json({ data: connectionJson(connection) });
  });
  router.delete('/fqdn_connections/:id', async ({ params }, response) => {
    const connection = at(params.id, callerOf(response));
    if (accounts.numbers.values().some(({ connectionId }) => connectionId === connection.id))
      throw unprocessable('10021', 'Resource in use', 'The connection still has phone numbers.');
    const names = accounts.fqdns
      .values()
      .filter(({ settings: { connection_id } }) => connection_id === connection.id);
    for (const { id } of names) await accounts.fqdns.delete(id);
    await accounts.authentications.delete(connection.id);
    await all.delete(connection.id);
    response.json({ data: connectionJson(connection) });
  });
  return router;
};

const fqdns = (context: Context): Router => {
  const { accounts } = context;
  const { fqdns: all } = accounts;
  const router = Router();
  const at = (id: unknown, account: string): Fqdn => own(all.get(String(id)), account);
  const checkConnection = (id: string | undefined, account: string): void => {
    if (id !== undefined && accounts.connections.get(id)?.account !== account)
      throw unprocessable(
        '10017',
        'Associated resource does not exist',
        'There is no such connection.',
        '/connection_id',
      );
  };

  router.post('/fqdns', async (request, response) => {
    const body = bodyOf(request, NewFqdn);
    checkConnection(body.connection_id, callerOf(response));
    const fqdn = record(callerOf(response), body);
    await all.set(fqdn.id, fqdn);
    response.status(201).json({ data: fqdnJson(fqdn) });
  });
  router.get('/fqdns', (request, response) => {
    const { filter, page } = queryOf(request, FqdnFilter);
    const found = accounts
      .mine(all, callerOf(response))
      .filter(({ settings: given }) =>
        Object.entries(filter).every(([name, value]) => given[name] === value),
      );
    response.json(paged(found, page, fqdnJson));
  });
  router.get('/fqdns/:id', ({ params }, response) => {
    response.json({ data: fqdnJson(at(params.id, callerOf(response))) });
  });
  router.patch('/fqdns/:id', async (request, response) => {
    const body = bodyOf(request, FqdnChange);
    checkConnection(body.connection_id, callerOf(response));
    const fqdn = changed(at(request.params.id, callerOf(response)), body);
    await all.set(fqdn.id, fqdn);
    response.json({ data: fqdnJson(fqdn) });
  });
  router.delete('/fqdns/:id', async ({ params }, response) => {
    const fqdn = at(params.id, callerOf(response));
    await all.delete(fqdn.id);
    response.json({ data: fqdnJson(fqdn) });
  });
  return router;
};

/** An account that may not have connections, because it is not verified. */
const forbidding =
  ({ faults }: Context): RequestHandler =>
  (_request, _response, next) => {
    if (faults.take('trunking').mode === 'forbidden')
      throw new TelnyxError(403, '10010', 'Authorization failed', 'The account is not verified.');
    next();
  };

export const connectionRoutes = (context: Context): Router =>
  Router()
    .use('/fqdn_connections', forbidding(context))
    .use(['/fqdn_connections', '/fqdns'], under(context, 'connections'))
    .use(connections(context), fqdns(context));
