// Rules that hold for every tool and resource, tested without a platform.
import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@parlance/contracts';
import { z } from 'zod';
import { costs } from '../confirmation/costs.js';
import { losses } from '../confirmation/losses.js';
import { inputSchemaOf } from './json-schemas.js';
import { nextPageAt, requestAt, resources } from './resources.js';
import { tokenArgument, tools } from './tools.js';

const rows: readonly Operation[] = operations;

describe('the tools', () => {
  it('are listed in 62 KB, without references', () => {
    const list = JSON.stringify({ tools: [...tools.values()].map(({ listed }) => listed) });
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(62_000);
    expect(list).not.toMatch(/\$ref|\$defs/);
  });

  it('are listed with all that a client needs to choose, fill and confirm them', () => {
    for (const { name, safety, isConfirmed, listed, row } of tools.values()) {
      const { inputSchema, outputSchema, ...shown } = listed;
      expect(shown).toMatchObject({
        ...{ name, title: row.summary, description: expect.stringContaining(row.summary) },
        annotations: { readOnlyHint: safety === 'read', destructiveHint: safety === 'destructive' },
        _meta: { safetyClass: safety },
      });
      expect([name, inputSchema]).toEqual([
        name,
        {
          type: 'object',
          properties: expect.any(Object),
          additionalProperties: false,
          ...(inputSchema.required && { required: expect.any(Array) }),
        },
      ]);
      const fields = Object.keys(Object(outputSchema?.properties));
      expect(fields).toEqual(expect.arrayContaining(['message']));
      expect(fields.includes('confirmationToken')).toBe(isConfirmed);
    }
  });

  it('have the limits of arguments, and any JSON where the contract has it', () => {
    const { properties } = Object(tools.get('create-tool')?.listed.inputSchema);
    expect(properties.timeoutMs).toEqual({
      default: 10_000,
      type: 'integer',
      minimum: 1_000,
      maximum: 60_000,
    });
    expect(properties.fillerMessage).toEqual({
      default: null,
      type: ['string', 'null'],
      maxLength: 500,
    });
    expect(properties.request.properties.bodyTemplate).toEqual({
      default: null,
      type: ['object', 'null'],
      additionalProperties: { description: 'any JSON value' },
    });
  });

  it('name the fields of their answers, with a list as deep as an object', () => {
    const dataOf = (name: string) => Object(tools.get(name)?.listed.outputSchema).properties.data;
    expect(dataOf('create-agent').properties).toMatchObject({
      id: { type: 'string' },
      isActive: { type: 'boolean' },
    });
    expect(dataOf('create-knowledge-sources').items.properties).toMatchObject({ status: { type: 'string' } });
    expect(dataOf('create-quick-outbound-call').properties.error).toEqual({});
  });

  it('never mix two fields of one name, and leave the name of the token free', () => {
    for (const { row } of tools.values()) {
      const { properties } = inputSchemaOf([row.params, row.query, row.body]);
      expect([row.id, Object.keys(Object(properties)).includes(tokenArgument)]).toEqual([row.id, false]);
    }
    const twice = z.strictObject({ id: z.string() });
    expect(() => inputSchemaOf([twice, undefined, twice])).toThrow(
      'two parts of a request have the field id',
    );
  });

  it('are confirmed after a preview of their own, exactly where they cost or destroy', () => {
    const confirmed = [...tools.values()].filter(({ isConfirmed }) => isConfirmed).map(({ name }) => name);
    expect(confirmed).toHaveLength(22);
    expect([...Object.keys(costs), ...Object.keys(losses)].sort()).toEqual(confirmed.sort());
  });

  it('list all fields of a body that is a choice, and require what each choice requires', () => {
    const id = z.string();
    const choice = z.union([
      z.strictObject({ id, slug: z.string() }),
      z.strictObject({ id, url: z.string(), name: z.string().optional() }),
    ]);
    const schema = inputSchemaOf([choice]);
    expect(Object.keys(Object(schema.properties)).sort()).toEqual(['id', 'name', 'slug', 'url']);
    expect(schema.required).toEqual(['id']);
  });

  it('send each argument to its part of the request', () => {
    const agentId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';
    expect(tools.get('update-agent')?.partsOf({ agentId, name: 'New' })).toEqual({
      params: { agentId },
      query: {},
      body: { name: 'New' },
    });
    const upload = { fileName: 'people.csv', contentType: 'text/csv' };
    expect(tools.get('get-batch-upload-url')?.partsOf(upload)).toEqual({ params: {}, query: upload });
  });
});

describe('the resources', () => {
  it('are read by operations that change nothing', () => {
    for (const { row } of resources.values()) expect([row.id, row.method]).toEqual([row.id, 'GET']);
    expect(rows.filter(({ mcp }) => mcp.as === 'resource')).toHaveLength(resources.size);
  });

  it('take ids from the path and fields from the query of an address', () => {
    const request = requestAt('parlance://list_call_transcripts/call%2Done?limit=5');
    expect(request?.resource.row.id).toBe('calls.transcripts');
    expect(request?.parts).toEqual({ params: { callId: 'call-one' }, query: { limit: '5' } });
  });

  it.each([
    'parlance://nothing',
    'parlance://list_agents/more',
    'parlance://get_call_log',
    'parlance://get_call_log/',
    'parlance://get_call_log/%E0%A4%A',
    'parlance://get_call_log/a/b',
    'parlance://list_agents#part',
    'https://list_agents',
    'parlance:list_agents',
    'list_agents',
    '',
  ])('do not include %p', (uri) => {
    expect(requestAt(uri)).toBeUndefined();
  });

  it('name the address of the next page, with the same filters', () => {
    expect(nextPageAt('parlance://list_call_logs?limit=1&cursor=old', 'a+b')).toBe(
      'parlance://list_call_logs?limit=1&cursor=a%2Bb',
    );
  });
});
