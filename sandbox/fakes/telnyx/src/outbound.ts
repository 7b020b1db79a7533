// Calls out through a connection: the credentials that prove its calls, and the destinations that its profile allows.
import { Router } from 'express';
import { z } from 'zod';
import { type Connection, newId, type Profile } from './account.js';
import { changed, own, record } from './connections.js';
import { type Context, callerOf, under } from './context.js';
import { unprocessable } from './errors.js';
import { bodyOf, paged, queryOf } from './requests.js';

const settings = {
  billing_group_id: z.string().nullish(),
  concurrent_call_limit: z.int().nullish(),
  daily_spend_limit: z.string().optional(),
  daily_spend_limit_enabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  max_destination_rate: z.number().optional(),
  service_plan: z.enum(['global']).optional(),
  tags: z.array(z.string()).optional(),
  traffic_type: z.enum(['conversational']).optional(),
  usage_payment_method: z.enum(['rate-deck']).optional(),
  whitelisted_destinations: z.array(z.string().regex(/^[A-Z]{2}$/)).optional(),
};
const NewProfile = z.strictObject({ name: z.string().min(3), ...settings });
const ProfileChange = z.strictObject({ name: z.string().min(3), ...settings });
const ProfileFilter = z.strictObject({
  name: z.strictObject({ contains: z.string().optional() }).prefault({}),
});
const profileDefaults = {
  ...{ enabled: true, service_plan: 'global', traffic_type: 'conversational', tags: [] },
  ...{ usage_payment_method: 'rate-deck', concurrent_call_limit: null, billing_group_id: null },
  whitelisted_destinations: ['US', 'CA'],
};

const AuthenticationChange = z.strictObject({
  fqdn_outbound_authentication: z.enum(['ip-authentication', 'credential-authentication']).optional(),
  user_name: z
    .string()
    .regex(
      /^(?=.{0,4}[A-Za-z])[A-Za-z0-9]{4,32}$/,
      'must be 4 to 32 letters and digits, a letter among the first five',
    )
    .optional(),
  password: z.string().min(8).max(128).optional(),
});

const profiles = (context: Context): Router => {
  const { accounts } = context;
  const { profiles: all } = accounts;
  const router = Router();
  const at = (id: unknown, account: string): Profile => own(all.get(String(id)), account);
  const json = ({ id, account, settings: given, createdAt, updatedAt }: Profile): object => ({
    ...{ id, record_type: 'outbound_voice_profile', ...profileDefaults, ...given },
    connections_count: accounts
      .mine(accounts.connections, account)
      .filter((connection) => profileOf(connection) === id).length,
    ...{ created_at: createdAt, updated_at: updatedAt },
  });

  router.post('/outbound_voice_profiles', async (request, response) => {
    const profile = record(callerOf(response), bodyOf(request, NewProfile));
    await all.set(profile.id, profile);
    response.status(201).json({ data: json(profile) });
  });
  router.get('/outbound_voice_profiles', (request, response) => {
    const { filter, page } = queryOf(request, ProfileFilter);
    const part = filter.name.contains?.toLowerCase() ?? '';
    const found = accounts
      .mine(all, callerOf(response))
      .filter(({ settings: { name } }) => String(name).toLowerCase().includes(part));
    response.json(paged(found, page, json));
  });
  router.get('/outbound_voice_profiles/:id', ({ params }, response) => {
    response.json({ data: json(at(params.id, callerOf(response))) });
  });
  router.patch('/outbound_voice_profiles/:id', async (request, response) => {
    const profile = changed(at(request.params.id, callerOf(response)), bodyOf(request, ProfileChange));
    await all.set(profile.id, profile);
    response.json({ data: json(profile) });
  });
  router.delete('/outbound_voice_profiles/:id', async ({ params }, response) => {
    const profile = at(params.id, callerOf(response));
    await all.delete(profile.id);
    response.json({ data: json(profile) });
  });
  return router;
};

/** The profile that calls of a connection are made under. */
const profileOf = ({ settings: { outbound } }: Connection): unknown =>
  typeof outbound === 'object' && outbound !== null
    ? Reflect.get(outbound, 'outbound_voice_profile_id')
    : undefined;

const authentications = ({ accounts }: Context): Router => {
  const { connections, authentications: all } = accounts;
  const router = Router();
  const path = '/fqdn_connections/:id/fqdn_authentication';
  const at = (id: unknown, account: string): Connection => {
    const connection = own(connections.get(String(id)), account);
    return all.get(connection.id) ?? { ...record(account, {}), id: newId() };
  };
  // Accounts of today set a password and can never read it again.
  const json = (connectionId: string, { id, settings: given }: Connection, password?: string): object => ({
    ...{ id, record_type: 'fqdn_authentication', connection_id: connectionId },
    ...{ fqdn_outbound_authentication: 'ip-authentication', user_name: '', ...given },
    password: password ?? (given.password === undefined ? '' : '********'),
  });
  router.get(path, ({ params }, response) => {
    response.json({ data: json(params.id, at(params.id, callerOf(response))) });
  });
  router.patch(path, async (request, response) => {
    const { id } = request.params;
    const before = at(id, callerOf(response));
    const change = bodyOf(request, AuthenticationChange);
    const isTaken = all
      .values()
      .some((other) => other.id !== before.id && other.settings.user_name === change.user_name);
    if (change.user_name !== undefined && isTaken)
      throw unprocessable('10015', 'Bad Request', 'The user name is taken.', '/user_name');
    const after = changed(before, change);
    const hasUser = after.settings.user_name !== undefined && after.settings.password !== undefined;
    if (after.settings.fqdn_outbound_authentication === 'credential-authentication' && !hasUser)
      throw unprocessable('10004', 'Missing required parameter', 'There are no credentials.', '/user_name');
    await all.set(id, after);
    response.json({ data: json(id, after, change.password) });
  });
  return router;
};

export const outboundRoutes = (context: Context): Router =>
  Router()
    // A request about a connection met the connections' faults already.
    .use('/outbound_voice_profiles', under(context, 'connections'))
    .use(profiles(context), authentications(context));
