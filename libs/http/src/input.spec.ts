import { describe, expect, it } from '@jest/globals';
import { contract, type Operation } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { inputParser, type RawParts } from './input.js';

const parse = (row: Operation, parts: Partial<RawParts>) =>
  inputParser(row)({ params: {}, query: {}, body: undefined, ...parts });

const refusal = (row: Operation, parts: Partial<RawParts>): AppError => {
  try {
    parse(row, parts);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
};

const paths = (error: AppError): unknown =>
  Object(error.details).issues.map(({ path }: { path: string }) => path);

const agentId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';
const agent = { name: 'Front desk', isActive: true, templateId: null };

describe('inputParser', () => {
  it('hands on parsed parts, and empty objects for the parts that an operation does not take', () => {
    expect(parse(contract.agentsCreate, { body: agent })).toEqual({ params: {}, query: {}, body: agent });
    expect(parse(contract.callsList, { query: { limit: '5' } })).toMatchObject({ query: { limit: 5 } });
  });

  it.each([[null], [[]], [[agent]], ['text'], [7]])('refuses %j as a body', (body) => {
    expect(refusal(contract.agentsCreate, { body }).code).toBe('VALIDATION_ERROR');
    expect(refusal(contract.outboundCallsCancel, { params: { outboundId: agentId }, body }).code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('names everything that is missing when there is no body', () => {
    const error = refusal(contract.agentsCreate, {});
    expect(paths(error)).toEqual(['body.name', 'body.isActive', 'body.templateId']);
  });

  it('names unknown keys one by one, in every part, shortened', () => {
    const long = 'k'.repeat(500);
    const error = refusal(contract.agentsCreate, {
      body: { ...agent, extra: 1, [long]: 2 },
      query: { page: '1' },
    });
    expect(paths(error)).toEqual(['query.page', 'body.extra', `body.${'k'.repeat(64)}`]);
  });

  it('refuses a query on an operation without one, and a repeated parameter where one value belongs', () => {
    expect(paths(refusal(contract.agentsList, { query: { a: '1' } }))).toEqual(['query.a']);
    expect(paths(refusal(contract.callsList, { query: { limit: ['1', '2'] } }))).toEqual(['query.limit']);
  });

  it('never repeats a value', () => {
    const error = refusal(contract.agentsCreate, {
      body: { name: 'c', isActive: 'canary-1', templateId: 'canary-2' },
    });
    expect(JSON.stringify(error.details)).not.toContain('canary');
  });

  it('answers the code that a rule of the schema asks for', () => {
    const call = { agentId, phoneNumber: 'CALL-ME', fromNumber: '+14155550199' };
    const error = refusal(contract.outboundCallsQuick, { body: call });
    expect(error.code).toBe('INVALID_PHONE_NUMBER');
    expect(paths(error)).toEqual(['body.phoneNumber']);
  });

  it('refuses U+0000 in a parameter', () => {
    expect(paths(refusal(contract.callsGet, { params: { callId: 'a\0b' } }))).toEqual(['params.callId']);
  });
});
