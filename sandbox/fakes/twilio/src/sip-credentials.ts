// Credential lists: the user names and passwords with which calls may be sent to a trunk.
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { type Credential, type CredentialList, newSid } from './account.js';
import { type Context, callerOf, under } from './context.js';
import { invalid, notFound } from './errors.js';
import { listByUri } from './paging.js';
import { Parameters } from './parameters.js';
import { rfc2822 } from './times.js';

const base = (accountSid: string): string => `/2010-04-01/Accounts/${accountSid}/SIP/CredentialLists`;

const listJson = ({ sid, accountSid, settings, createdAt, updatedAt }: CredentialList): object => ({
  sid,
  account_sid: accountSid,
  friendly_name: settings.friendly_name,
  date_created: rfc2822(createdAt),
  date_updated: rfc2822(updatedAt),
  subresource_uris: { credentials: `${base(accountSid)}/${sid}/Credentials.json` },
  uri: `${base(accountSid)}/${sid}.json`,
});

const credentialJson = ({
  sid,
  accountSid,
  listSid,
  username,
  createdAt,
  updatedAt,
}: Credential): object => ({
  sid,
  account_sid: accountSid,
  credential_list_sid: listSid,
  username,
  date_created: rfc2822(createdAt),
  date_updated: rfc2822(updatedAt),
  uri: `${base(accountSid)}/${listSid}/Credentials/${sid}.json`,
});

const checkedPassword = (parameters: Parameters): string => {
  const password = parameters.required('Password');
  const isStrong =
    password.length >= 12 && /\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password);
  if (!isStrong) throw invalid('Password must have 12 characters, a digit, and letters of both cases');
  return createHash('sha256').update(password).digest('base64url');
};

const times = () => {
  const now = new Date().toISOString();
  return { createdAt: now, updatedAt: now };
};

const bare = (sid: unknown): string => String(sid).replace(/\.json$/, '');

const lists = ({ accounts }: Context, listOf: ListOf): Router => {
  const { credentialLists, credentials, trunkLists } = accounts;
  const router = Router({ mergeParams: true });
  router.post('/SIP/CredentialLists.json', async ({ body }, response) => {
    const settings = { friendly_name: Parameters.from(body, ['FriendlyName']).required('FriendlyName') };
    const list = { sid: newSid('CL'), accountSid: callerOf(response), settings, ...times() };
    await credentialLists.set(list.sid, list);
    response.status(201).json(listJson(list));
  });
  router.get('/SIP/CredentialLists.json', (request, response) => {
    const mine = credentialLists.values().filter(({ accountSid }) => accountSid === callerOf(response));
    response.json(listByUri(request, Parameters.from(request.query, []), 'credential_lists', mine, listJson));
  });
  router.get('/SIP/CredentialLists/:list', ({ params, originalUrl }, response) => {
    response.json(listJson(listOf(callerOf(response), bare(params.list), originalUrl)));
  });
  router.delete('/SIP/CredentialLists/:list', async ({ params, originalUrl }, response) => {
    const { sid } = listOf(callerOf(response), bare(params.list), originalUrl);
    for (const one of credentials.values().filter(({ listSid }) => listSid === sid))
      await credentials.delete(one.sid);
    for (const one of trunkLists.values().filter(({ listSid }) => listSid === sid))
      await trunkLists.delete(one.sid);
    await credentialLists.delete(sid);
    response.status(204).end();
  });
  return router;
};

type ListOf = (accountSid: string, sid: string, path: string) => CredentialList;

const credentialsOf = ({ accounts }: Context, listOf: ListOf): Router => {
  const { credentials } = accounts;
  const router = Router({ mergeParams: true });
  const at = (list: CredentialList, sid: string, path: string): Credential => {
    const found = credentials.get(sid);
    if (found?.listSid !== list.sid) throw notFound(path);
    return found;
  };
  const one = '/SIP/CredentialLists/:list/Credentials/:sid';
  router.post(
    '/SIP/CredentialLists/:list/Credentials.json',
    async ({ params, body, originalUrl }, response) => {
      const list = listOf(callerOf(response), params.list, originalUrl);
      const parameters = Parameters.from(body, ['Username', 'Password']);
      const username = parameters.required('Username');
      if (username.length > 32) throw invalid('Username must be at most 32 characters');
      if (credentials.values().some((known) => known.listSid === list.sid && known.username === username))
        throw invalid('Username is in this list already');
      const credential: Credential = {
        ...{ sid: newSid('CR'), accountSid: list.accountSid, listSid: list.sid, username },
        ...{ passwordHash: checkedPassword(parameters), ...times() },
      };
      await credentials.set(credential.sid, credential);
      response.status(201).json(credentialJson(credential));
    },
  );
  router.get('/SIP/CredentialLists/:list/Credentials.json', (request, response) => {
    const list = listOf(callerOf(response), request.params.list, request.originalUrl);
    const all = credentials.values().filter(({ listSid }) => listSid === list.sid);
    response.json(listByUri(request, Parameters.from(request.query, []), 'credentials', all, credentialJson));
  });
  router.get(one, ({ params, originalUrl }, response) => {
    const list = listOf(callerOf(response), params.list, originalUrl);
    response.json(credentialJson(at(list, bare(params.sid), originalUrl)));
  });
  router.post(one, async ({ params, body, originalUrl }, response) => {
    const list = listOf(callerOf(response), params.list, originalUrl);
    const passwordHash = checkedPassword(Parameters.from(body, ['Password']));
    const updatedAt = new Date().toISOString();
    const changed = { ...at(list, bare(params.sid), originalUrl), passwordHash, updatedAt };
    await credentials.set(changed.sid, changed);
    response.json(credentialJson(changed));
  });
  router.delete(one, async ({ params, originalUrl }, response) => {
    const list = listOf(callerOf(response), params.list, originalUrl);
    await credentials.delete(at(list, bare(params.sid), originalUrl).sid);
    response.status(204).end();
  });
  return router;
};

export const sipCredentialRoutes = (context: Context): Router => {
  const listOf: ListOf = (accountSid, sid, path) => {
    const list = context.accounts.credentialLists.get(sid);
    if (list?.accountSid !== accountSid) throw notFound(path);
    return list;
  };
  return Router({ mergeParams: true })
    .use('/SIP', under(context, 'trunks'))
    .use(lists(context, listOf), credentialsOf(context, listOf));
};
