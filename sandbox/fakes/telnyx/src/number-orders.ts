// Buying: an order is taken first and fulfilled later. Ordered numbers belong to their buyer from the first moment on.
import { randomUUID } from 'node:crypto';
import type { OfferedNumber } from '@parlance/fake-kit/numbers';
import { Router } from 'express';
import { z } from 'zod';
import { newId, type Order, type OwnedNumber } from './account.js';
import { type Context, callerOf, under } from './context.js';
import { notFound, unprocessable } from './errors.js';
import { bodyOf, paged, queryOf } from './requests.js';

const Body = z.strictObject({
  phone_numbers: z.array(z.strictObject({ phone_number: z.string() })).min(1),
  connection_id: z.string().nullish(),
  customer_reference: z.string().nullish(),
});
const Filter = z.strictObject({
  status: z.string().optional(),
  customer_reference: z.string().optional(),
  created_at: z
    .strictObject({ gt: z.iso.datetime().optional(), lt: z.iso.datetime().optional() })
    .prefault({}),
});

const statusOf = ({ settledAt, outcome }: Order): string =>
  Date.now() < Date.parse(settledAt) ? 'pending' : outcome;

const orderJson = (order: Order): object => ({
  id: order.id,
  record_type: 'number_order',
  phone_numbers_count: order.numbers.length,
  phone_numbers: order.numbers.map(({ id, phoneNumber, country, type }) => ({
    id,
    record_type: 'number_order_phone_number',
    phone_number: phoneNumber,
    country_code: country,
    country_iso_alpha2: country,
    phone_number_type: type,
    regulatory_requirements: [],
    requirements_met: true,
    requirements_status: 'approved',
    status: statusOf(order),
  })),
  sub_number_orders_ids: [order.id],
  connection_id: order.connectionId,
  messaging_profile_id: null,
  billing_group_id: null,
  customer_reference: order.customerReference,
  requirements_met: true,
  status: statusOf(order),
  created_at: order.createdAt,
  updated_at: statusOf(order) === 'pending' ? order.createdAt : order.settledAt,
});

const listedJson = (order: Order): object => ({
  ...orderJson(order),
  phone_numbers: order.numbers.map(({ id, phoneNumber }) => ({ id, phone_number: phoneNumber })),
});

export const numberOrderRoutes = (context: Context): Router => {
  const { accounts, inventory, faults } = context;
  const router = Router();

  const offered = (phoneNumber: string, index: number): OfferedNumber => {
    const pointer = `/phone_numbers/${index}/phone_number`;
    if (!/^\+\d{6,15}$/.test(phoneNumber))
      throw unprocessable(
        '10016',
        'Phone number must be in +E.164 format',
        `${phoneNumber} is not.`,
        pointer,
      );
    const offer = inventory.find(phoneNumber);
    if (!offer)
      throw unprocessable(
        '85000',
        'Must search phone number via search API first',
        'You must search for the number through our API before attempting to purchase.',
        pointer,
      );
    if (accounts.owner(phoneNumber))
      throw unprocessable(
        '85001',
        'Phone number is not available',
        `${phoneNumber} is not available.`,
        pointer,
      );
    return offer;
  };

  const place = async (account: string, body: z.output<typeof Body>): Promise<Order> => {
    if (new Set(body.phone_numbers.map(({ phone_number }) => phone_number)).size < body.phone_numbers.length)
      throw unprocessable('10012', 'Duplicate resource', 'A number can be ordered once.', '/phone_numbers');
    const offers = body.phone_numbers.map(({ phone_number }, index) => offered(phone_number, index));
    const connectionId = body.connection_id || null;
    if (connectionId && accounts.connections.get(connectionId)?.account !== account)
      throw unprocessable(
        '10017',
        'Associated resource does not exist',
        'There is no such connection.',
        '/connection_id',
      );
    const fate = faults.take('fulfilment');
    const createdAt = new Date().toISOString();
    const settledAt = new Date(Date.now() + context.fulfilmentMs + fate.ms).toISOString();
    const customerReference = body.customer_reference || null;
    const numbers = offers.map(
      ({ phoneNumber, area }): OwnedNumber => ({
        id: newId(),
        account,
        phoneNumber,
        country: area.country,
        type: area.type,
        connectionId,
        customerReference,
        tags: [],
        purchasedAt: createdAt,
        activeAt: settledAt,
        updatedAt: createdAt,
      }),
    );
    const outcome = fate.mode === 'failure' ? 'failure' : 'success';
    const order: Order = {
      id: randomUUID(),
      account,
      numbers: numbers.map(({ id, phoneNumber, country, type }) => ({ id, phoneNumber, country, type })),
      connectionId,
      customerReference,
      createdAt,
      settledAt,
      outcome,
    };
    await accounts.order(order, outcome === 'success' ? numbers : []);
    return order;
  };

  const orderOf = (account: string, id: unknown): Order => {
    const order = accounts.orders.get(String(id));
    if (order?.account !== account) throw notFound();
    return order;
  };

  router.post('/number_orders', under(context, 'buy'), async (request, response) => {
    response.json({ data: orderJson(await place(callerOf(response), bodyOf(request, Body))) });
  });
  router.get('/number_orders', under(context, 'orders'), (request, response) => {
    const { filter, page } = queryOf(request, Filter);
    const { gt = '', lt = '9' } = filter.created_at;
    const found = accounts
      .mine(accounts.orders, callerOf(response))
      .filter((order) => filter.status === undefined || statusOf(order) === filter.status)
      .filter(
        ({ customerReference }) =>
          filter.customer_reference === undefined || customerReference === filter.customer_reference,
      )
      .filter(({ createdAt }) => createdAt > gt && createdAt < lt);
    response.json(paged(found, page, listedJson));
  });
  router.get('/number_orders/:id', under(context, 'orders'), ({ params }, response) => {
    response.json({ data: orderJson(orderOf(callerOf(response), params.id)) });
  });
  return router;
};
