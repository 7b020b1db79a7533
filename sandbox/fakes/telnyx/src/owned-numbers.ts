// The numbers that an account owns.
import { Router } from 'express';
import { z } from 'zod';
import type { OwnedNumber } from './account.js';
import { type Context, callerOf, under } from './context.js';
import { notFound, unprocessable } from './errors.js';
import { bodyOf, paged, queryOf } from './requests.js';

const Filter = z.strictObject({
  phone_number: z.string().optional(),
  status: z.string().optional(),
  customer_reference: z.string().optional(),
  connection_id: z.string().optional(),
  country_iso_alpha2: z.string().optional(),
  tag: z.string().optional(),
});
const Change = z.strictObject({
  connection_id: z.string().nullish(),
  customer_reference: z.string().nullish(),
  tags: z.array(z.string()).optional(),
});
const sorts = ['purchased_at', 'phone_number'] as const;

const statusOf = ({ activeAt }: OwnedNumber): string =>
  Date.now() < Date.parse(activeAt) ? 'purchase-pending' : 'active';

const numberJson = ({ accounts }: Context, number: OwnedNumber): object => ({
  id: number.id,
  record_type: 'phone_number',
  phone_number: number.phoneNumber,
  country_iso_alpha2: number.country,
  phone_number_type: number.type,
  status: statusOf(number),
  tags: number.tags,
  external_pin: null,
  connection_id: number.connectionId ?? '',
  connection_name: accounts.connections.get(number.connectionId ?? '')?.settings.connection_name ?? '',
  customer_reference: number.customerReference ?? '',
  messaging_profile_id: '',
  messaging_profile_name: '',
  billing_group_id: null,
  emergency_enabled: false,
  emergency_address_id: '',
  emergency_status: 'disabled',
  call_forwarding_enabled: false,
  cnam_listing_enabled: false,
  caller_id_name_enabled: false,
  call_recording_enabled: false,
  t38_fax_gateway_enabled: false,
  hd_voice_enabled: false,
  inbound_call_screening: 'disabled',
  deletion_lock_enabled: false,
  source_type: 'number_order',
  purchased_at: number.purchasedAt,
  activated_at: statusOf(number) === 'active' ? number.activeAt : null,
  created_at: number.purchasedAt,
  updated_at: number.updatedAt,
});

const matches =
  (filter: z.output<typeof Filter>) =>
  (number: OwnedNumber): boolean => {
    const same = (wanted: string | undefined, value: string | null): boolean =>
      wanted === undefined || wanted === value;
    return (
      number.phoneNumber.includes(filter.phone_number?.replace('+', '') ?? '') &&
      same(filter.status, statusOf(number)) &&
      same(filter.customer_reference, number.customerReference) &&
      same(filter.connection_id, number.connectionId) &&
      same(filter.country_iso_alpha2, number.country) &&
      (filter.tag === undefined || number.tags.includes(filter.tag))
    );
  };

const sorted = (numbers: readonly OwnedNumber[], sort: string | undefined): readonly OwnedNumber[] => {
  if (sort === undefined) return numbers;
  const field = sort.endsWith('phone_number') ? 'phoneNumber' : 'purchasedAt';
  const ascending = [...numbers].sort((a, b) => a[field].localeCompare(b[field]));
  return sort.startsWith('-') ? ascending.reverse() : ascending;
};

export const ownedNumberRoutes = (context: Context): Router => {
  const { accounts } = context;
  const router = Router();
  const json = (number: OwnedNumber): object => numberJson(context, number);

  const owned = (account: string, id: unknown): OwnedNumber => {
    const number = accounts.numbers.get(String(id));
    if (number?.account !== account) throw notFound();
    return number;
  };

  const changed = (number: OwnedNumber, change: z.output<typeof Change>): OwnedNumber => {
    const { connection_id, customer_reference, tags } = change;
    if (connection_id && accounts.connections.get(connection_id)?.account !== number.account)
      throw unprocessable(
        '10017',
        'Associated resource does not exist',
        'There is no such connection.',
        '/connection_id',
      );
    return {
      ...number,
      ...(connection_id === undefined ? {} : { connectionId: connection_id || null }),
      ...(customer_reference === undefined ? {} : { customerReference: customer_reference || null }),
      ...(tags === undefined ? {} : { tags }),
      updatedAt: new Date().toISOString(),
    };
  };

  router.get('/phone_numbers', under(context, 'read'), (request, response) => {
    const { filter, page, sort } = queryOf(request, Filter, sorts);
    const found = accounts.mine(accounts.numbers, callerOf(response)).filter(matches(filter));
    response.json(paged(sorted(found, sort), page, json));
  });
  router.get('/phone_numbers/:id', under(context, 'read'), ({ params }, response) => {
    response.json({ data: json(owned(callerOf(response), params.id)) });
  });
  router.patch('/phone_numbers/:id', under(context, 'configure'), async (request, response) => {
    const number = owned(callerOf(response), request.params.id);
    const updated = changed(number, bodyOf(request, Change));
    await accounts.configure(updated);
    response.json({ data: json(updated) });
  });
  router.delete('/phone_numbers/:id', under(context, 'release'), async ({ params }, response) => {
    const number = owned(callerOf(response), params.id);
    await accounts.release(number);
    response.json({ data: { ...json(number), status: 'deleted' } });
  });
  return router;
};
