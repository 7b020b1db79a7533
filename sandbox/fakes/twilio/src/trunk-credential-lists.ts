// The credential lists of a trunk: the trunk takes calls with the credentials in them.
import { Router } from 'express';
import type { TrunkList } from './account.js';
import { type Context, callerOf } from './context.js';
import { notFound, TwilioError } from './errors.js';
import { listByMeta } from './paging.js';
import { Parameters } from './parameters.js';
import { root, trunkOf } from './trunks.js';

export const trunkCredentialLists = (context: Context): Router => {
  const { trunkLists, credentialLists } = context.accounts;
  const router = Router({ mergeParams: true });
  const json = ({ accountSid, trunkSid, listSid, createdAt, updatedAt }: TrunkList): object => ({
    sid: listSid,
    account_sid: accountSid,
    trunk_sid: trunkSid,
    friendly_name: credentialLists.get(listSid)?.settings.friendly_name ?? '',
    date_created: createdAt,
    date_updated: updatedAt,
    url: `${root}/${trunkSid}/CredentialLists/${listSid}`,
  });
  router.post('/:trunk/CredentialLists', async ({ params, body, originalUrl }, response) => {
    const { sid: trunkSid, accountSid } = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const listSid = Parameters.from(body, ['CredentialListSid']).required('CredentialListSid');
    if (credentialLists.get(listSid)?.accountSid !== accountSid)
      throw new TwilioError(404, 20404, `Credential list ${listSid} was not found`);
    const now = new Date().toISOString();
    const sid = `${trunkSid}:${listSid}`;
    const attached = { sid, accountSid, trunkSid, listSid, settings: {}, createdAt: now, updatedAt: now };
    await trunkLists.set(sid, attached);
    response.status(201).json(json(attached));
  });
  router.get('/:trunk/CredentialLists', (request, response) => {
    const trunk = trunkOf(context, callerOf(response), request.params.trunk, request.originalUrl);
    const all = trunkLists.values().filter(({ trunkSid }) => trunkSid === trunk.sid);
    response.json(listByMeta(request, Parameters.from(request.query, []), 'credential_lists', all, json));
  });
  router.delete('/:trunk/CredentialLists/:list', async ({ params, originalUrl }, response) => {
    const { sid } = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const attached = trunkLists.get(`${sid}:${params.list}`);
    if (attached === undefined) throw notFound(originalUrl);
    await trunkLists.delete(attached.sid);
    response.status(204).end();
  });
  return router;
};
