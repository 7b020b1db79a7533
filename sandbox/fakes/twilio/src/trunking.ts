// Elastic SIP Trunking: where calls to a number go.
import { type RequestHandler, Router } from 'express';
import { newSid, type OriginationUrl, type OwnedNumber, type Trunk } from './account.js';
import { type Context, callerOf, under } from './context.js';
import { invalid, notFound, TwilioError } from './errors.js';
import { numberJson } from './owned-numbers.js';
import { listByMeta } from './paging.js';
import { Parameters } from './parameters.js';
import { trunkCredentialLists } from './trunk-credential-lists.js';
import { root, trunkJson, trunkOf } from './trunks.js';

const trunkSettings = [
  'FriendlyName',
  'DomainName',
  'TransferMode',
  'TransferCallerId',
  'Secure',
  'CnamLookupEnabled',
];
const urlSettings = ['Weight', 'Priority', 'Enabled', 'FriendlyName', 'SipUrl'];
const urlJson = ({ sid, accountSid, trunkSid, settings, createdAt, updatedAt }: OriginationUrl): object => ({
  sid,
  account_sid: accountSid,
  trunk_sid: trunkSid,
  weight: Number(settings.weight),
  priority: Number(settings.priority),
  enabled: settings.enabled === 'true',
  friendly_name: settings.friendly_name,
  sip_url: settings.sip_url,
  date_created: createdAt,
  date_updated: updatedAt,
  url: `${root}/${trunkSid}/OriginationUrls/${sid}`,
});

const trunkNumberJson = (number: OwnedNumber): object => ({
  ...numberJson(number),
  date_created: number.createdAt,
  date_updated: number.updatedAt,
  url: `${root}/${number.settings.trunk_sid}/PhoneNumbers/${number.sid}`,
  links: { phone_number: `https://api.twilio.com${String(numberJson(number).uri)}` },
});

const changed = <T extends Trunk>(record: T, settings: Record<string, string>): T => ({
  ...record,
  settings: { ...record.settings, ...settings },
  updatedAt: new Date().toISOString(),
});

const fresh = (kind: string, accountSid: string, settings: Record<string, string>): Trunk => {
  const now = new Date().toISOString();
  return { sid: newSid(kind), accountSid, settings, createdAt: now, updatedAt: now };
};

const checkedTrunk = (parameters: Parameters): Record<string, string> => {
  const domain = parameters.text('DomainName');
  if (domain && !domain.endsWith('.pstn.twilio.com')) throw invalid('DomainName must end in pstn.twilio.com');
  return parameters.settings(trunkSettings);
};

const checkedUrl = (parameters: Parameters): Record<string, string> => {
  const address = parameters.text('SipUrl');
  if (address !== undefined && !/^sips?:[^\s]+$/.test(address)) throw invalid('SipUrl must be a SIP URL');
  for (const name of ['Weight', 'Priority'])
    if (parameters.integer(name, 0) > 65_535) throw invalid(`${name} must be at most 65535`);
  return parameters.settings(urlSettings);
};

const trunks = (context: Context): Router => {
  const { accounts } = context;
  const router = Router();
  const json = (trunk: Trunk): object =>
    trunkJson(
      trunk,
      accounts.trunkLists.values().some(({ trunkSid }) => trunkSid === trunk.sid),
    );
  const isTaken = (domain: string | undefined, sid?: string): boolean =>
    domain !== undefined &&
    accounts.trunks.values().some((other) => other.sid !== sid && other.settings.domain_name === domain);
  router.post('/', async ({ body }, response) => {
    const settings = checkedTrunk(Parameters.from(body, trunkSettings));
    if (isTaken(settings.domain_name)) throw invalid('DomainName is taken');
    const trunk = fresh('TK', callerOf(response), settings);
    await accounts.trunks.set(trunk.sid, trunk);
    response.status(201).json(json(trunk));
  });
  router.get('/', (request, response) => {
    const mine = accounts.trunks.values().filter(({ accountSid }) => accountSid === callerOf(response));
    response.json(listByMeta(request, Parameters.from(request.query, []), 'trunks', mine.reverse(), json));
  });
  router.get('/:trunk', ({ params, originalUrl }, response) => {
    response.json(json(trunkOf(context, callerOf(response), params.trunk, originalUrl)));
  });
  router.post('/:trunk', async ({ params, body, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const settings = checkedTrunk(Parameters.from(body, trunkSettings));
    if (isTaken(settings.domain_name, trunk.sid)) throw invalid('DomainName is taken');
    const updated = changed(trunk, settings);
    await accounts.trunks.set(trunk.sid, updated);
    response.json(json(updated));
  });
  router.delete('/:trunk', async ({ params, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    for (const number of accounts
      .numbersOf(trunk.accountSid)
      .filter(({ settings }) => settings.trunk_sid === trunk.sid))
      await accounts.put('configure', changed(number, { trunk_sid: '' }));
    for (const url of accounts.originationUrls.values().filter(({ trunkSid }) => trunkSid === trunk.sid))
      await accounts.originationUrls.delete(url.sid);
    for (const list of accounts.trunkLists.values().filter(({ trunkSid }) => trunkSid === trunk.sid))
      await accounts.trunkLists.delete(list.sid);
    await accounts.trunks.delete(trunk.sid);
    response.status(204).end();
  });
  return router;
};

const originationUrls = (context: Context): Router => {
  const { originationUrls: urls } = context.accounts;
  const router = Router({ mergeParams: true });
  const urlOf = (trunk: Trunk, sid: unknown, path: string): OriginationUrl => {
    const url = urls.get(String(sid));
    if (url?.trunkSid !== trunk.sid) throw notFound(path);
    return url;
  };
  router.post('/:trunk/OriginationUrls', async ({ params, body, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const parameters = Parameters.from(body, urlSettings);
    for (const name of urlSettings) parameters.required(name);
    const url = { ...fresh('OU', trunk.accountSid, checkedUrl(parameters)), trunkSid: trunk.sid };
    await urls.set(url.sid, url);
    response.status(201).json(urlJson(url));
  });
  router.get('/:trunk/OriginationUrls', (request, response) => {
    const trunk = trunkOf(context, callerOf(response), request.params.trunk, request.originalUrl);
    const all = urls.values().filter(({ trunkSid }) => trunkSid === trunk.sid);
    response.json(listByMeta(request, Parameters.from(request.query, []), 'origination_urls', all, urlJson));
  });
  router.get('/:trunk/OriginationUrls/:sid', ({ params, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    response.json(urlJson(urlOf(trunk, params.sid, originalUrl)));
  });
  router.post('/:trunk/OriginationUrls/:sid', async ({ params, body, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const url = urlOf(trunk, params.sid, originalUrl);
    const updated = changed(url, checkedUrl(Parameters.from(body, urlSettings)));
    await urls.set(url.sid, updated);
    response.json(urlJson(updated));
  });
  router.delete('/:trunk/OriginationUrls/:sid', async ({ params, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    await urls.delete(urlOf(trunk, params.sid, originalUrl).sid);
    response.status(204).end();
  });
  return router;
};

const trunkNumbers = (context: Context): Router => {
  const { accounts } = context;
  const router = Router({ mergeParams: true });
  const numberOf = (trunk: Trunk, sid: unknown, path: string): OwnedNumber => {
    const number = accounts.numbers.get(String(sid));
    if (number?.accountSid !== trunk.accountSid || number.settings.trunk_sid !== trunk.sid)
      throw notFound(path);
    return number;
  };
  router.post('/:trunk/PhoneNumbers', async ({ params, body, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    const sid = Parameters.from(body, ['PhoneNumberSid']).required('PhoneNumberSid');
    const number = accounts.numbers.get(sid);
    if (number?.accountSid !== trunk.accountSid)
      throw new TwilioError(404, 20404, `Phone number ${sid} was not found`);
    const updated = await accounts.put('configure', changed(number, { trunk_sid: trunk.sid }));
    response.status(201).json(trunkNumberJson(updated));
  });
  router.get('/:trunk/PhoneNumbers', (request, response) => {
    const trunk = trunkOf(context, callerOf(response), request.params.trunk, request.originalUrl);
    const all = accounts
      .numbersOf(trunk.accountSid)
      .filter(({ settings }) => settings.trunk_sid === trunk.sid);
    response.json(
      listByMeta(request, Parameters.from(request.query, []), 'phone_numbers', all, trunkNumberJson),
    );
  });
  router.get('/:trunk/PhoneNumbers/:sid', ({ params, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    response.json(trunkNumberJson(numberOf(trunk, params.sid, originalUrl)));
  });
  router.delete('/:trunk/PhoneNumbers/:sid', async ({ params, originalUrl }, response) => {
    const trunk = trunkOf(context, callerOf(response), params.trunk, originalUrl);
    await accounts.put('configure', changed(numberOf(trunk, params.sid, originalUrl), { trunk_sid: '' }));
    response.status(204).end();
  });
  return router;
};

/** An account that Elastic SIP Trunking is not open to. */
const forbidding =
  ({ faults }: Context): RequestHandler =>
  (_request, _response, next) => {
    if (faults.take('trunking').mode === 'forbidden') throw new TwilioError(403, 20403, '403 Forbidden');
    next();
  };

export const trunkingRoutes = (context: Context): Router =>
  Router().use(
    forbidding(context),
    under(context, 'trunks'),
    trunks(context),
    originationUrls(context),
    trunkNumbers(context),
    trunkCredentialLists(context),
  );
