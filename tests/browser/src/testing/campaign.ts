// A campaign that a test needs beforehand.
import { expect } from '@jest/globals';
import type { ConsoleWorld, Person } from './console-world.js';

export interface WantedCampaign {
  readonly name: string;
  readonly agentId: string;
  readonly fromNumber: string;
  /** ISO 8601; at once unless said. */
  readonly scheduledAt?: string;
  readonly callsPerSecond?: number;
  readonly circuitBreaker?: { readonly enabled: boolean };
}

/** @returns the id of the campaign */
export const makeCampaign = async (
  world: ConsoleWorld,
  person: Person,
  campaign: WantedCampaign,
  csv: string,
): Promise<string> => {
  const { uploadUrl, sourceFileKey } = await world.ask<{ uploadUrl: string; sourceFileKey: string }>(
    person,
    '/outbound-calls/batch-upload-url?fileName=people.csv&contentType=text/csv',
  );
  const headers = { 'content-type': 'text/csv' };
  const put = await fetch(uploadUrl, { method: 'PUT', headers, body: csv });
  expect(put.ok).toBe(true);
  const { id } = await world.ask<{ id: string }>(person, '/outbound-calls/batches', {
    ...{ ...campaign, sourceFileKey, sourceFileName: 'people.csv' },
  });
  return id;
};
